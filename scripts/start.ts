import { join } from 'node:path';

import { type Sandbox, startSandbox } from '../sandbox';
import { usedInMonth } from '../sandbox/api/quota';
import { plans } from '../sandbox/records';
import { startInN8n } from './demo/in-n8n';
import { parseOptions, usage } from './demo/options';
import { runRoundTrip } from './demo/round-trip';
import { runUntilStopped } from './demo/until-stopped';
import { isBuilt } from './n8n/built';
import { claim } from './n8n/claim';
import { installHost, isInstalled } from './n8n/install';
import { demoOwner } from './n8n/instance';
import { assertRegistry } from './n8n/npm-run';
import { build } from './n8n/pack';
import { workDir } from './n8n/paths';
import { assertPortFree } from './n8n/ports';
import { keepLocalTrafficLocal } from './n8n/proxy';
import { SetupError } from './n8n/setup-error';

const print = (line: string): void => console.log(line);

/** Builds what is not built yet, and loads n8n's engine meanwhile. */
async function loadEngine(folder: string) {
  const isThere = await isBuilt();
  if (!isThere) print('Building the nodes.');
  const [{ setOnEngine }] = await Promise.all([
    import('./demo/on-engine.js'),
    isThere ? undefined : build(folder),
  ]);
  return setOnEngine;
}

/**
 * The round trip on n8n's own engine: all that it needs has come with `npm install`.
 *
 * @returns what ends the engine's part
 */
async function firstAct(sandbox: Sandbox, folder: string): Promise<() => Promise<void>> {
  const setOnEngine = await loadEngine(folder);
  const stage = await setOnEngine(sandbox);
  await runRoundTrip(sandbox, stage);
  print(`
That took ${Math.round(process.uptime())} s, on n8n's own engine. The post is in the dashboard:
Dashboard: ${sandbox.origin}
`);
  return stage.leave;
}

/** Asks for the registry while the first act goes on, so that whoever has no network hears it soon. */
const askForNetwork = (folder: string): Promise<void> =>
  assertRegistry(folder).catch((problem: SetupError) =>
    print(`${problem.message} The first part needs no network.`),
  );

function quotaText(sandbox: Sandbox): string {
  const key = sandbox.store.findKey(sandbox.keys.pro);
  const { name, requestsPerMonth } = plans.pro;
  const left = key ? requestsPerMonth - usedInMonth(key, new Date()) : 0;
  return `${left} of ${requestsPerMonth} requests left this month (${name} plan)`;
}

runUntilStopped('Stopping what runs.', async ({ closers, isUp, end }) => {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    print(usage);
    return await end(0);
  }
  keepLocalTrafficLocal();
  const folder = join(workDir(), 'demo');
  claim(folder);
  await assertPortFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
  await assertPortFree(options.n8nPort, 'n8n', '--n8n-port');
  const asked = (await isInstalled()) ? undefined : askForNetwork(folder);
  const sandbox = await startSandbox({ port: options.sandboxPort, agentsRun: true });
  closers.push(() => sandbox.close());
  const leaveEngine = await firstAct(sandbox, folder);
  closers.push(leaveEngine);

  try {
    await asked;
    // Asks again: a busy machine may have taken too long the first time.
    await installHost(print);
  } catch (problem) {
    if (options.once || !(problem instanceof SetupError)) throw problem;
    print(
      `${problem.message}\n\nThe dashboard stays open until you press Ctrl+C: ${sandbox.origin}`,
    );
    return;
  }
  print('Starting n8n.');
  const { n8n, editor, ...stage } = await startInN8n(sandbox, folder, options.n8nPort, closers);
  await leaveEngine();
  await runRoundTrip(sandbox, stage);
  print(`
Quota:     ${quotaText(sandbox)}
Editor:    ${editor}
           log in as ${demoOwner.email} with ${demoOwner.password}
Dashboard: ${sandbox.origin}`);
  if (options.once) return await end(0);
  isUp();
  print('\nPress Ctrl+C to stop both.');
  await n8n.ended;
  throw new SetupError(`n8n stopped unexpectedly. See its log: ${n8n.logFile}`);
});
