import { limitField, readOptions, returnAllField, workspaceField } from '../fields';
import type { Operation } from '../operation';
import { take } from '../take';

/** GET {base_url}/agents (specification, "GET {base_url}/agents"). */
export const getAll: Operation = {
  resource: 'agent',
  option: {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many agents',
    description: 'Read the AI agents of a workspace',
  },
  fields: [workspaceField, returnAllField, limitField, readOptions()],
  request(item) {
    return {
      kind: 'list',
      path: '/agents',
      query: { workspaceId: item.workspaceId() },
      field: 'agents',
      take: take(item),
    };
  },
};
