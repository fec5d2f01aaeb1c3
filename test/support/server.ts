import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestServer {
  /** Such as http://127.0.0.1:40123. */
  readonly origin: string;
  /** Closes the server and its connections. */
  close(): Promise<void>;
}

/** Starts an HTTP server on a free port of 127.0.0.1, for responses that the sandbox never gives. */
export async function listen(handler: RequestListener): Promise<TestServer> {
  const server = createServer(handler);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
