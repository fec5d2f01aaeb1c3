import { together } from '../together';

together('editor/editor', 'editor/tool');
