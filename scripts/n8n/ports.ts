import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from './setup-error';

const GRACE_MS = 3000;

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}

/** A port on 127.0.0.1 that nothing listens on at the moment. */
export function freePort(): Promise<number> {
  return listen(0);
}

/**
 * Makes sure that `port` can be listened on.
 *
 * @param owner what wants the port, for the message
 * @param option the command line option that sets another one
 * @throws SetupError that names the port and the option when something else has it
 */
export async function assertPortFree(port: number, owner: string, option: string): Promise<void> {
  const deadline = Date.now() + GRACE_MS;
  for (;;) {
    const code = await listen(port).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    if (code === undefined) return;
    // Its last owner may be about to end.
    if (code === 'EADDRINUSE' && Date.now() < deadline) {
      await delay(100);
      continue;
    }
    if (code === 'EADDRINUSE') {
      throw new SetupError(
        `Port ${port} for ${owner} is taken by another program. End that program, or choose another port: ${option} <port>.`,
      );
    }
    if (code === 'EACCES') {
      throw new SetupError(
        `Port ${port} for ${owner} needs rights this user does not have. Choose a port above 1023: ${option} <port>.`,
      );
    }
    throw new SetupError(`Port ${port} for ${owner} cannot be listened on: ${code}.`);
  }
}
