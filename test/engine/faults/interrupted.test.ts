import './short-lifetime';

import { together } from '../together';

together(
  'faults/ledger',
  'faults/old-n8n',
  'faults/upstream',
  'faults/free-slots',
  'faults/next-slot',
);
