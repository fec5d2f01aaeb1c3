import { join } from 'node:path';

import type { Sandbox } from '../../sandbox';
import { N8nInstance } from '../n8n/instance';
import { installPackage, pack } from '../n8n/pack';
import type { Stage } from './round-trip';
import type { Closers } from './until-stopped';
import { importExamples, scheduling } from './workflows';

/** A running n8n with the packed nodes, credentials and the examples. */
export interface DemoN8n extends Stage {
  n8n: N8nInstance;
  /** The address of the first example in the editor. */
  editor: string;
}

/**
 * Starts the installed n8n with the built package.
 *
 * @param userFolder the folder for its data, which this process has claimed
 * @param closers receives a function for everything that is started, as soon as it runs
 * @throws SetupError when something cannot be packed or started
 */
export async function startInN8n(
  sandbox: Sandbox,
  userFolder: string,
  port: number,
  closers: Closers,
): Promise<DemoN8n> {
  await installPackage(await pack(join(userFolder, 'packed')), userFolder);
  const n8n = await N8nInstance.start({ userFolder, port });
  closers.push(() => n8n.stop());

  const { scheduleId, reactId, endpoint } = await importExamples(n8n.api, {
    ...sandbox,
    apiKey: sandbox.keys.pro,
  });
  sandbox.webhooks.add(endpoint);
  const executions = async () => (await n8n.api.executions(reactId)).results.map(({ id }) => id);
  const earlier = new Set(await executions());
  return {
    n8n,
    editor: `${n8n.origin}/workflow/${scheduleId}`,
    name: 'n8n',
    schedule: () => n8n.api.runWorkflow(scheduleId, scheduling.trigger),
    async reactions() {
      const fresh = (await executions()).filter((id) => !earlier.has(id));
      return await Promise.all(fresh.map((id) => n8n.api.finishedExecution(id)));
    },
  };
}
