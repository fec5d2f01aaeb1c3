import { together } from '../together';

together('faults/retry', 'faults/stop', 'faults/tool', 'late-lists', 'sheet');
