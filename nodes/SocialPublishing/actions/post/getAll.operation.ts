import { limitField, readOptions, returnAllField, workspaceField } from '../fields';
import { take } from '../take';
import type { Operation } from '../operation';

const DEFAULT_PAGE_SIZE = 100;

/** GET {base_url}/posts (specification, "GET {base_url}/posts"). */
export const getAll: Operation = {
  resource: 'post',
  option: {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many posts',
    description: 'Read the posts of a workspace',
  },
  fields: [
    workspaceField,
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
      {
        displayName: 'Page Size',
        name: 'pageSize',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: DEFAULT_PAGE_SIZE,
        description:
          'How many posts to ask for in one request. A service that returns fewer is followed.',
      },
    ),
  ],
  request(item) {
    return {
      kind: 'pages',
      path: '/posts',
      query: { workspaceId: item.workspaceId() },
      field: 'posts',
      offset: item.integer('options.offset') ?? 0,
      take: take(item),
      pageSize: item.positiveInteger('options.pageSize') ?? DEFAULT_PAGE_SIZE,
    };
  },
};
