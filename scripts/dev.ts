import { join } from 'node:path';

import { apiPath } from '../sandbox/api';
import { demoKeyPrefix } from '../sandbox/seed';
import { originOf } from '../sandbox/urls';
import { devUsage, parseDevOptions } from './demo/options';
import { runUntilStopped } from './demo/until-stopped';
import { type Endpoint, importExamples } from './demo/workflows';
import { watchPackage } from './dev/watched-package';
import { Child, endStale } from './n8n/child';
import { claim } from './n8n/claim';
import { installHost } from './n8n/install';
import { demoOwner, N8nInstance } from './n8n/instance';
import { repositoryDir, workDir } from './n8n/paths';
import { assertPortFree } from './n8n/ports';
import { keepLocalTrafficLocal } from './n8n/proxy';
import { SetupError } from './n8n/setup-error';

const GRACE_MS = 5000;

const print = (text: string): void =>
  console.log(`${new Date().toTimeString().slice(0, 8)}  ${text}`);

/** Starts the sandbox in a process of its own, which tsx starts again when a file of it is saved. */
async function watchSandbox(port: number, endpoint: Endpoint): Promise<() => Promise<void>> {
  const pidFile = join(workDir(), 'dev', 'sandbox.pid');
  await endStale(pidFile, 'the sandbox');
  const tsx = require.resolve('tsx/cli');
  const script = join(repositoryDir, 'scripts', 'dev', 'sandbox.ts');
  const args = ['watch', '--clear-screen=false', script, JSON.stringify({ port, endpoint })];
  const child = new Child(process.execPath, [tsx, ...args], {
    cwd: repositoryDir,
    env: process.env,
    pidFile,
    onLine: print,
  });
  return () => child.end(GRACE_MS);
}

runUntilStopped('Stopping n8n and the sandbox.', async ({ closers, isUp, end }) => {
  const options = parseDevOptions(process.argv.slice(2));
  if (options.help) {
    console.log(devUsage);
    return await end(0);
  }
  keepLocalTrafficLocal();
  const userFolder = join(workDir(), 'dev');
  claim(userFolder);
  const { n8nPort, sandboxPort } = options;
  await assertPortFree(sandboxPort, 'the sandbox', '--sandbox-port');
  await assertPortFree(n8nPort, 'n8n', '--n8n-port');
  await installHost(print);

  closers.push(await watchPackage(userFolder, print));
  print('Starting n8n.');
  const n8n = await N8nInstance.start({
    userFolder,
    port: n8nPort,
    environment: { N8N_DEV_RELOAD: 'true' },
  });
  closers.push(() => n8n.stop());

  const origin = originOf('127.0.0.1', sandboxPort);
  const { scheduleId, endpoint } = await importExamples(n8n.api, {
    baseUrl: `${origin}${apiPath}`,
    apiKey: `${demoKeyPrefix}pro`,
    workspaceId: 1,
  });
  closers.push(await watchSandbox(sandboxPort, endpoint));

  isUp();
  console.log(`
Editor:    ${n8n.origin}/workflow/${scheduleId}
           log in as ${demoOwner.email} with ${demoOwner.password}
Dashboard: ${origin}

Save a file of the nodes or the sandbox to try it at once. Press Ctrl+C to stop both.
`);
  await n8n.ended;
  throw new SetupError(`n8n stopped unexpectedly. See its log: ${n8n.logFile}`);
});
