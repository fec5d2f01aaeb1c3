import { usedInMonth } from '../sandbox/api/quota';
import { plans } from '../sandbox/records';
import { parseOptions, usage } from './demo/options';
import { runRoundTrip } from './demo/round-trip';
import { type Demo, startDemo } from './demo/start-demo';
import { runUntilStopped } from './demo/until-stopped';
import { demoOwner } from './n8n/instance';
import { SetupError } from './n8n/setup-error';

function printAddresses({ sandbox, n8n, workflows }: Demo): void {
  const key = sandbox.store.findKey(sandbox.keys.pro);
  const { name, requestsPerMonth } = plans.pro;
  const left = key ? requestsPerMonth - usedInMonth(key, new Date()) : 0;
  console.log(`
Quota:     ${left} of ${requestsPerMonth} requests left this month (${name} plan)
Editor:    ${n8n.origin}/workflow/${workflows.scheduleId}
           log in as ${demoOwner.email} with ${demoOwner.password}
Dashboard: ${sandbox.origin}`);
}

runUntilStopped('Stopping n8n and the sandbox.', async ({ closers, isUp, end }) => {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    console.log(usage);
    return await end(0);
  }
  const services = await startDemo(options, closers);
  await runRoundTrip(services);
  printAddresses(services);
  if (options.once) return await end(0);
  isUp();
  console.log('\nPress Ctrl+C to stop both.');
  await services.n8n.ended;
  throw new SetupError(`n8n stopped unexpectedly. See its log: ${services.n8n.logFile}`);
});
