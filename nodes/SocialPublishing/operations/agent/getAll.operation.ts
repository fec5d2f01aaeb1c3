import { howMany, noneIn, recordLimit } from '../fields';
import type { ReadOperation } from '../operation';
import { readOptions } from '../options';

/** Lists the agents of a workspace (docs/service.md, "GET /agents"). */
export const getAll: ReadOperation = {
  resource: 'agent',
  option: {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many agents',
    description: 'Read the AI agents of a workspace',
  },
  kind: 'read',
  endpoint: { method: 'GET', path: '/agents', field: 'agents', answer: 'list' },
  tool: 'Lists the AI agents of the workspace with id, name, type, isActive, schedule and lastRunAt.',
  fields: [...howMany, readOptions()],
  request(item) {
    const workspaceId = item.workspaceId();
    return {
      query: { workspaceId },
      range: { limit: recordLimit(item) },
      whenEmpty: noneIn(workspaceId, 'agents'),
    };
  },
};
