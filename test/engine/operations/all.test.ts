import { together } from '../together';

together(
  'operations/requests',
  'operations/schemas',
  'operations/filters',
  'operations/output',
  'operations/answers',
  'operations/others-answers',
  'editor/editor',
  'editor/tool',
);
