import type { INodeProperties } from 'n8n-workflow';

import { contentFields, differentFields } from './content.fields';
import { postOptions } from './options.fields';
import { timeFields } from './time.fields';

/** All fields from which a post is composed, with options of the operation alone. */
export const postFields = (...ownOptions: INodeProperties[]): INodeProperties[] => [
  ...contentFields,
  ...timeFields,
  ...differentFields,
  postOptions(...ownOptions),
];
