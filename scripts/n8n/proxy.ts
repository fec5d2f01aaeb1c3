import http from 'node:http';
import https from 'node:https';

import { SetupError } from './setup-error';

const VARIABLES = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'ALL_PROXY',
  'all_proxy',
];

function isProxy(value: string): boolean {
  try {
    return /^(https?|socks(4a?|5h?)?):$/.test(new URL(value).protocol);
  } catch {
    return false;
  }
}

/**
 * Lets what this process asks of this machine pass by the proxy that the environment may name. What
 * goes out to the internet still takes it.
 *
 * @throws SetupError that names the variable whose value is not the address of a proxy
 */
export function keepLocalTrafficLocal(): void {
  const wrong = VARIABLES.find((name) => process.env[name] && !isProxy(process.env[name]));
  if (wrong !== undefined) {
    throw new SetupError(
      `The environment variable ${wrong} is not the address of a proxy. Write it as http://proxy.example:8080, or unset it.`,
    );
  }
  const known = process.env['NO_PROXY'] ?? process.env['no_proxy'];
  const local = [...(known ? [known] : []), '127.0.0.1', 'localhost'].join(',');
  Object.assign(process.env, { NO_PROXY: local, no_proxy: local });
  // With NODE_USE_ENV_PROXY, these have read the environment already.
  http.globalAgent = new http.Agent({ keepAlive: true });
  https.globalAgent = new https.Agent({ keepAlive: true });
}
