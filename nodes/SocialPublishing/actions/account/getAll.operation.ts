import { limitField, readOptions, returnAllField, workspaceField } from '../fields';
import type { Operation } from '../operation';
import { take } from '../take';

/** GET {base_url}/accounts (specification, "GET {base_url}/accounts"). */
export const getAll: Operation = {
  resource: 'account',
  option: {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many accounts',
    description: 'Read the connected social accounts of a workspace',
  },
  fields: [workspaceField, returnAllField, limitField, readOptions()],
  request(item) {
    return {
      kind: 'list',
      path: '/accounts',
      query: { workspaceId: item.workspaceId() },
      field: 'accounts',
      take: take(item),
    };
  },
};
