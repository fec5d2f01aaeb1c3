import { limitField, readOptions, returnAllField, workspaceField } from '../fields';
import type { ReadOperation } from '../operation';

/** GET {base_url}/agents (specification, "GET {base_url}/agents"). */
export const getAll: ReadOperation = {
  resource: 'agent',
  option: {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many agents',
    description: 'Read the AI agents of a workspace',
  },
  kind: 'read',
  endpoint: { path: '/agents', returns: 'list', field: 'agents' },
  fields: [workspaceField, returnAllField, limitField, readOptions()],
  request(item) {
    return { query: { workspaceId: item.workspaceId() }, range: { limit: item.recordLimit() } };
  },
};
