import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A reverse proxy in front of one or several n8n, any of which may be killed. */
export interface ReverseProxy {
  /** Such as http://127.0.0.1:40123. */
  origin: string;
  close(): Promise<void>;
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/healthz/readiness`)).ok;
  } catch {
    return false;
  }
}

/**
 * Starts a reverse proxy with a health check. It passes each connection on to the next n8n that is
 * ready. When none is ready, it closes the connection. Without the check, n8n itself responds to every
 * request with status 200 while it migrates its database.
 *
 * @param origins returns the addresses at which n8n listens now
 */
export async function startReverseProxy(origins: () => string[]): Promise<ReverseProxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const nextReady = async (): Promise<string | undefined> => {
    const all = origins();
    const first = connections++;
    for (const index of all.keys()) {
      const origin = all[(first + index) % all.length];
      if (origin !== undefined && (await isReady(origin))) return origin;
    }
    return undefined;
  };
  const passOn = async (incoming: Socket) => {
    sockets.add(incoming.once('close', () => sockets.delete(incoming)));
    incoming.on('error', () => undefined);
    const origin = await nextReady();
    if (origin === undefined) {
      incoming.destroy();
      return;
    }
    const { hostname, port } = new URL(origin);
    const outgoing = connect(Number(port), hostname);
    outgoing.on('error', () => incoming.destroy()).once('close', () => incoming.destroy());
    incoming.once('close', () => outgoing.destroy()).pipe(outgoing);
    outgoing.pipe(incoming);
  };
  const server = createServer((incoming) => void passOn(incoming));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
