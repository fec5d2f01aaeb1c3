import { limitField, pageSizeOption, readOptions, returnAllField } from '../fields';
import type { ReadOperation } from '../operation';

/** Lists the posts of a workspace (docs/service.md, "GET /posts"). */
export const getAll: ReadOperation = {
  resource: 'post',
  option: {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many posts',
    description: 'Read the posts of a workspace',
  },
  kind: 'read',
  endpoint: { path: '/posts', returns: 'pages', field: 'posts' },
  tool: 'Lists the posts of the workspace with id, status, scheduledAt and createdAt. Texts and accounts are not included.',
  fields: [
    returnAllField,
    limitField,
    readOptions(
      {
        displayName: 'Offset',
        name: 'offset',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 0,
        description: 'How many posts to skip',
      },
      pageSizeOption,
    ),
  ],
  request(item) {
    const offset = item.integer('options.offset');
    const pageSize = item.positiveInteger('options.pageSize');
    return {
      query: { workspaceId: item.workspaceId() },
      range: {
        limit: item.recordLimit(),
        ...(offset === undefined ? {} : { offset }),
        ...(pageSize === undefined ? {} : { pageSize }),
      },
    };
  },
};
