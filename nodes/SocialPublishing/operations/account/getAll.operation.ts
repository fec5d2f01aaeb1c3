import { ACCOUNTS } from '../../service/requests';
import { howMany, noneIn, recordLimit } from '../fields';
import type { ReadOperation } from '../operation';
import { readOptions } from '../options';

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
  endpoint: ACCOUNTS,
  tool: 'Lists the connected social accounts of the workspace with id, platform, platformUsername (the handle), displayName and isActive. Call it before you choose accounts for a post.',
  fields: [...howMany, readOptions()],
  request(item) {
    const workspaceId = item.workspaceId();
    return {
      query: { workspaceId },
      range: { limit: recordLimit(item) },
      whenEmpty: noneIn(workspaceId, 'accounts'),
    };
  },
};
