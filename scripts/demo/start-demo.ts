import { join } from 'node:path';

import { type Sandbox, startSandbox } from '../../sandbox';
import { installHost } from '../n8n/install';
import { N8nInstance } from '../n8n/instance';
import { buildAndPack, installPackage } from '../n8n/pack';
import { workDir } from '../n8n/paths';
import { assertPortFree } from '../n8n/ports';
import type { Ports } from './options';
import type { Closers } from './until-stopped';
import { importExamples } from './workflows';

export interface Demo {
  sandbox: Sandbox;
  n8n: N8nInstance;
  workflows: Awaited<ReturnType<typeof importExamples>>;
}

const print = (line: string): void => console.log(line);

/**
 * Installs what is missing and starts the sandbox and n8n, with credentials and workflows in place.
 *
 * @param closers receives a function for everything that is started, as soon as it runs
 * @throws SetupError when something cannot be installed or started
 */
export async function startDemo(options: Ports, closers: Closers): Promise<Demo> {
  await assertPortFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
  await assertPortFree(options.n8nPort, 'n8n', '--n8n-port');
  const version = await installHost(print);
  const userFolder = join(workDir(), 'demo');
  const packed = await buildAndPack(userFolder);
  await installPackage(packed, userFolder);
  const kilobytes = Math.round(packed.unpackedSize / 1000);
  print(
    `Packed ${packed.name} ${packed.version} (${kilobytes} kB) and installed it in n8n ${version}.`,
  );

  const sandbox = await startSandbox({ port: options.sandboxPort, agentsRun: true });
  closers.push(() => sandbox.close());
  print('Starting n8n.');
  const n8n = await N8nInstance.start({ userFolder, port: options.n8nPort });
  closers.push(() => n8n.stop());

  const workflows = await importExamples(n8n.api, {
    ...sandbox,
    apiKey: sandbox.keys.pro,
  });
  sandbox.webhooks.add(workflows.endpoint);
  return { sandbox, n8n, workflows };
}
