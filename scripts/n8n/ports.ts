import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { SetupError } from './setup-error';

const GRACE_MS = 3000;

/**
 * The first port that may be found, and the first that may not. Systems give higher ones to outgoing
 * connections, which could take a port before the server that it was found for listens.
 */
const PORTS = [20_000, 32_000] as const;

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(port));
    });
  });
}

/** Finds a port on 127.0.0.1 that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await listen(randomInt(...PORTS)).catch(({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EADDRINUSE') throw new SetupError(`No free port was found: ${code}.`);
      return undefined;
    });
    if (port !== undefined) return port;
  }
}

/** Whether browsers and fetch refuse a port, because another protocol is known to have it. */
async function isBlocked(port: number): Promise<boolean> {
  const refusal = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' }).then(
    () => undefined,
    ({ cause }: { cause?: Error }) => cause?.message,
  );
  return refusal === 'bad port';
}

/**
 * Checks that a server can listen on `port` of 127.0.0.1, and that browsers can ask it.
 *
 * @param owner the program that needs the port, for the error message
 * @param option the command line option that sets another port
 * @throws SetupError that names the port and the option when it cannot
 */
export async function assertPortFree(port: number, owner: string, option: string): Promise<void> {
  const deadline = Date.now() + GRACE_MS;
  for (;;) {
    const code = await listen(port).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    if (code === undefined) {
      if (!(await isBlocked(port))) return;
      throw new SetupError(
        `Port ${port} for ${owner} is one that browsers refuse. Choose another port with ${option} <port>.`,
      );
    }
    // The previous owner may be about to end.
    if (code === 'EADDRINUSE' && Date.now() < deadline) {
      await delay(100);
      continue;
    }
    if (code === 'EADDRINUSE') {
      throw new SetupError(
        `Port ${port} for ${owner} is in use by another program. End that program, or choose another port with ${option} <port>.`,
      );
    }
    if (code === 'EACCES') {
      throw new SetupError(
        `Port ${port} for ${owner} needs permissions that this user does not have. Choose a port of 1024 or above with ${option} <port>.`,
      );
    }
    throw new SetupError(`Port ${port} for ${owner} cannot be listened on: ${code}.`);
  }
}
