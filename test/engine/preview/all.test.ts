import { together } from '../together';

together('preview/preview', 'preview/of-create', 'preview/checked-posts');
