import { together } from '../together';

together(
  'items/items',
  'items/credentials',
  'items/costs',
  'faults/quota',
  'faults/retry',
  'faults/stop',
  'faults/tool',
  'late-lists',
  'sheet',
);
