import { limitField, readOptions, returnAllField, workspaceField } from '../fields';
import type { ReadOperation } from '../operation';

/** GET {base_url}/accounts (specification, "GET {base_url}/accounts"). */
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
  fields: [workspaceField, returnAllField, limitField, readOptions()],
  request(item) {
    return { query: { workspaceId: item.workspaceId() }, range: { limit: item.recordLimit() } };
  },
};
