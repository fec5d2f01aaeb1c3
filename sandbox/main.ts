import { parseArgs } from 'node:util';

import { type Sandbox, startSandbox } from './';
import { eventNames, planNames, plans } from './records';
import { samples } from './samples';

const usage = `Start a local Social Publishing Service. Its state is in memory.

Usage: npm run sandbox -- [options]

  --port <number>   Port to listen on (default: 4010)
  --host <address>  Address to listen on (default: 127.0.0.1, this machine only)
  --samples         Print a sample of each event, with the data to pin in n8n
  --sample <event>  Print the sample of one event, ready to pin in n8n
  --help            Show this help`;

/** Limits the memory of a sandbox that runs for a long time. */
const requestLogSize = 1_000;

async function main(): Promise<void> {
  const { port, host, help, samples: allSamples, sample } = readArguments();
  if (help) return console.log(usage);
  if (allSamples) return console.log(JSON.stringify(samples, null, 2));
  if (sample !== undefined) return printSample(sample);
  const sandbox = await startSandbox({
    port,
    host,
    traffic: true,
    agentsRun: true,
    requestLogSize,
  });
  printWelcome(sandbox);

  const stop = () => void sandbox.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      samples: { type: 'boolean', default: false },
      sample: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port must be a whole number from 0 to 65535, not "${values.port}".`);
  }
  return { ...values, port };
}

/** Prints what to pin, and on stderr a note when the data isn't documented. */
function printSample(event: string): void {
  const kind = eventNames.find((name) => name === event);
  if (!kind) throw new Error(`--sample must be one of ${eventNames.join(', ')}, not "${event}".`);
  const { note, pinData } = samples[kind];
  if (note !== undefined) console.error(note);
  console.log(JSON.stringify(pinData, null, 2));
}

function printWelcome({ origin, baseUrl, keys, workspaceId }: Sandbox): void {
  const keyLines = planNames.map((plan) => {
    const { name, requestsPerMonth } = plans[plan];
    const quota = `${requestsPerMonth.toLocaleString('en')} requests per month`;
    const access = requestsPerMonth === 0 ? 'no API access' : quota;
    return `  ${keys[plan].padEnd(24)} ${name}, ${access}`;
  });
  console.log(`The Social Publishing sandbox is running.

Dashboard     ${origin}
Base URL      ${baseUrl}
Workspace ID  ${workspaceId}
API keys
${keyLines.join('\n')}

Press Ctrl+C to stop it.`);
}

/** The message of an error, and what to do about it. */
function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `${error.message}. Stop the program that uses it, or choose another port with --port.`;
  }
  return error.message;
}

main().catch((error: unknown) => {
  console.error(errorMessage(error));
  process.exitCode = 1;
});
