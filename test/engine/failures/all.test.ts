import { together } from '../together';

together(
  'failures/failures',
  'failures/connections',
  'faults/bodies',
  'faults/limits',
  'faults/lists',
  'faults/table',
);
