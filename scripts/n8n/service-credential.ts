import type { Sandbox } from '../../sandbox';
import type { N8nApi } from './rest';

/** What a credential needs to know of a sandbox. */
export type SandboxAddress = Pick<Sandbox, 'baseUrl' | 'workspaceId'> & { apiKey: string };

/**
 * Creates the credential for the API of a sandbox in n8n, or updates the one with the same name.
 *
 * @returns its ID
 */
export const saveServiceCredential = (
  api: N8nApi,
  { baseUrl, apiKey, workspaceId }: SandboxAddress,
  name = 'Social Publishing account',
): Promise<string> =>
  api.saveCredential({
    name,
    type: 'socialPublishingApi',
    data: { baseUrl, apiKey, workspaceId: String(workspaceId) },
  });
