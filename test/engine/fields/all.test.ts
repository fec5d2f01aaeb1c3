import { together } from '../together';

together(
  'fields/input',
  'fields/pasted-times',
  'fields/same-post',
  'fields/slots',
  'fields/hints',
  'fields/media-files',
);
