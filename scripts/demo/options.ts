import { parseArgs } from 'node:util';

import { SetupError } from '../n8n/setup-error';

const INSTALLS =
  'The first run installs n8n into .n8n/ (about 2.5 GB, a few minutes). To use another folder, set SOCIAL_PUBLISHING_N8N_DIR.';

const portUsage = `--n8n-port <port>      port for n8n on 127.0.0.1 (default: 5678)
  --sandbox-port <port>  port for the sandbox on 127.0.0.1 (default: 4010)`;

export const usage = `Starts the sandbox, and runs the examples on n8n's own engine, in less than a minute. Then starts a real
n8n with the packed nodes, runs them there too, and keeps both running.

  npm start -- [options]

  ${portUsage}
  --once                 stop after the examples have run in n8n; the exit code is 0 if they succeeded
  --help                 show this help

${INSTALLS}`;

export const devUsage = `Starts the sandbox and a real n8n with these nodes. Save a file of the nodes, and n8n loads them again.
Save a file of the sandbox, and it starts again with fresh data.

  npm run dev -- [options]

  ${portUsage}
  --help                 show this help

${INSTALLS}`;

/** Where the demo's n8n and sandbox listen, on 127.0.0.1. */
export interface Ports {
  n8nPort: number;
  sandboxPort: number;
}

export interface DemoOptions extends Ports {
  once: boolean;
  help: boolean;
}

const portOptions = {
  'n8n-port': { type: 'string', default: '5678' },
  'sandbox-port': { type: 'string', default: '4010' },
} as const;

function port(value: string, option: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || number > 65_535) {
    throw new SetupError(`${option} must be a port from 1 to 65535, not "${value}".`);
  }
  return number;
}

/** Reads a command line. An error comes with the usage. */
function orUsage<Values>(read: () => Values, help: string): Values {
  try {
    return read();
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
}

function portsOf(values: { 'n8n-port': string; 'sandbox-port': string }): Ports {
  const n8nPort = port(values['n8n-port'], '--n8n-port');
  const sandboxPort = port(values['sandbox-port'], '--sandbox-port');
  if (n8nPort === sandboxPort) {
    throw new SetupError(`--n8n-port and --sandbox-port are both ${n8nPort}. Choose two ports.`);
  }
  return { n8nPort, sandboxPort };
}

const flag = { type: 'boolean', default: false } as const;

/**
 * Reads the command line of `npm start`.
 *
 * @throws SetupError when an option is unknown or a port is invalid
 */
export function parseOptions(args: string[]): DemoOptions {
  const options = { ...portOptions, once: flag, help: flag };
  const { values } = orUsage(() => parseArgs({ args, options }), usage);
  return { ...portsOf(values), once: values.once, help: values.help };
}

/**
 * Reads the command line of `npm run dev`.
 *
 * @throws SetupError when an option is unknown or a port is invalid
 */
export function parseDevOptions(args: string[]): Omit<DemoOptions, 'once'> {
  const options = { ...portOptions, help: flag };
  const { values } = orUsage(() => parseArgs({ args, options }), devUsage);
  return { ...portsOf(values), help: values.help };
}
