import { usedInMonth } from '../sandbox/api/quota';
import { plans } from '../sandbox/records';
import { parseOptions, usage } from './demo/options';
import { runRoundTrip } from './demo/round-trip';
import { type Closers, type Services, startServices } from './demo/services';
import { demoOwner } from './n8n/instance';
import { isAlive, launchers } from './n8n/processes';
import { SetupError } from './n8n/setup-error';

const SAME_SIGNAL_MS = 1000;

const closers: Closers = [];
let isUp = false;
let isEnding = false;

/** Ends everything that this process started, then the process itself. */
async function end(exitCode: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  for (const close of closers.reverse()) {
    await close().catch((error: unknown) => {
      console.error(error);
      exitCode ||= 1;
    });
  }
  process.exit(exitCode);
}

function endOnSignals(): void {
  let firstSignalAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isEnding) {
        // npm and tsx forward the signal that the terminal has already sent to this process.
        if (Date.now() - firstSignalAt > SAME_SIGNAL_MS) process.exit(130);
        return;
      }
      firstSignalAt = Date.now();
      console.log('\nStopping n8n and the sandbox.');
      void end(isUp ? 0 : 130);
    });
  }
  const parents = launchers();
  setInterval(() => {
    if (!parents.every(isAlive)) void end(1);
  }, 1000).unref();
}

function printAddresses({ sandbox, n8n, workflows }: Services): void {
  const key = sandbox.store.findKey(sandbox.keys.pro);
  const { name, requestsPerMonth } = plans.pro;
  const left = key ? requestsPerMonth - usedInMonth(key, new Date()) : 0;
  console.log(`
Quota:     ${left} of ${requestsPerMonth} requests left this month (${name} plan)
Editor:    ${n8n.origin}/workflow/${workflows.scheduleId}
           log in as ${demoOwner.email} with ${demoOwner.password}
Dashboard: ${sandbox.origin}`);
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    console.log(usage);
    return;
  }
  endOnSignals();
  const services = await startServices(options, closers);
  await runRoundTrip(services);
  printAddresses(services);
  if (options.once) {
    await end(0);
    return;
  }
  isUp = true;
  console.log('\nPress Ctrl+C to stop both.');
  await services.n8n.ended;
  if (!isEnding)
    throw new SetupError(`n8n stopped unexpectedly. See its log: ${services.n8n.logFile}`);
}

main().catch((error: unknown) => {
  if (isEnding) return;
  console.error(error instanceof SetupError ? error.message : error);
  void end(1);
});
