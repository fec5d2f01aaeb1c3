import './lifetime';

import { together } from '../together';

together(
  'faults/ledger',
  'faults/look',
  'faults/old-n8n',
  'faults/upstream',
  'faults/free-slots',
  'faults/next-slot',
);
