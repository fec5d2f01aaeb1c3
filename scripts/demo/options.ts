import { parseArgs } from 'node:util';

import { SetupError } from '../n8n/setup-error';

export const usage = `Starts the sandbox and a real n8n with the packed nodes, runs the examples, and keeps both running.

  npm start -- [options]

  --n8n-port <port>      port for n8n on 127.0.0.1 (default: 5678)
  --sandbox-port <port>  port for the sandbox on 127.0.0.1 (default: 4010)
  --once                 stop after the examples have run; the exit code is 0 if they succeeded
  --help                 show this help

The first run installs n8n into .n8n/ (about 2.5 GB). To use another folder, set SOCIAL_PUBLISHING_N8N_DIR.`;

export interface DemoOptions {
  n8nPort: number;
  sandboxPort: number;
  once: boolean;
  help: boolean;
}

function port(value: string, option: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || number > 65_535) {
    throw new SetupError(`${option} must be a port from 1 to 65535, not "${value}".`);
  }
  return number;
}

/**
 * Reads the command line of `npm start`.
 *
 * @throws SetupError when an option is unknown or a port is invalid
 */
export function parseOptions(args: string[]): DemoOptions {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        'n8n-port': { type: 'string', default: '5678' },
        'sandbox-port': { type: 'string', default: '4010' },
        once: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
  return {
    n8nPort: port(values['n8n-port'], '--n8n-port'),
    sandboxPort: port(values['sandbox-port'], '--sandbox-port'),
    once: values.once,
    help: values.help,
  };
}
