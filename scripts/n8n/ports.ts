import { createServer } from 'node:net';
import { SetupError } from './setup-error';

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
  try {
    await listen(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
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
    throw error;
  }
}
