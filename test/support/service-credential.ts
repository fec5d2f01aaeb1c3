import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox';
import type { N8nApi } from '../../scripts/n8n/rest';

/** Saves the credential of a sandbox. Returns its ID. */
export const saveService = (
  api: N8nApi,
  { baseUrl, keys, workspaceId }: Sandbox,
): Promise<string> =>
  api.saveCredential({
    name: `Service ${randomUUID()}`,
    type: 'socialPublishingApi',
    data: { baseUrl, apiKey: keys.agency, workspaceId: String(workspaceId) },
  });
