import { together } from '../together';

together(
  'fields/input',
  'fields/pasted-times',
  'fields/slots',
  'fields/hints',
  'fields/media-files',
);
