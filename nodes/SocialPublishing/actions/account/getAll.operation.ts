import { limitField, readOptions, returnAllField } from '../fields';
import type { ReadOperation } from '../operation';

/** Lists the connected accounts of a workspace (docs/service.md, "GET /accounts"). */
export const getAll: ReadOperation = {
  resource: 'account',
  option: {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many accounts',
    description: 'Read the connected social accounts of a workspace',
  },
  kind: 'read',
  endpoint: { path: '/accounts', returns: 'list', field: 'accounts' },
  fields: [returnAllField, limitField, readOptions()],
  request(item) {
    return { query: { workspaceId: item.workspaceId() }, range: { limit: item.recordLimit() } };
  },
};
