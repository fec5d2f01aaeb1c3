import { rm } from 'node:fs/promises';

import { N8nInstance } from '../../../scripts/n8n/instance';
import { installPackage } from '../../../scripts/n8n/pack';
import { readShared } from './shared';

/**
 * Starts another n8n with the packed package and an empty database.
 *
 * @param environment more environment variables for n8n
 */
export async function startFreshN8n(
  userFolder: string,
  environment: Record<string, string> = {},
): Promise<N8nInstance> {
  await rm(userFolder, { recursive: true, force: true });
  await installPackage(readShared().packed, userFolder);
  return await N8nInstance.start({ userFolder, environment });
}
