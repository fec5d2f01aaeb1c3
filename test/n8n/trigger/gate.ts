import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What stands in front of an n8n that may be killed. */
export interface Gate {
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
 * Lets connections through to n8n once it is ready, as a reverse proxy with a health check does, and
 * closes all others. n8n itself answers whatever comes with status 200 between the moment when it has
 * connected to its database and the one when that is migrated.
 *
 * @param n8nOrigin where n8n listens at the moment
 */
export async function openGate(n8nOrigin: () => string): Promise<Gate> {
  const open = new Set<Socket>();
  const letThrough = async (incoming: Socket) => {
    open.add(incoming.once('close', () => open.delete(incoming)));
    incoming.on('error', () => undefined);
    const origin = n8nOrigin();
    if (!(await isReady(origin))) {
      incoming.destroy();
      return;
    }
    const { hostname, port } = new URL(origin);
    const outgoing = connect(Number(port), hostname);
    outgoing.on('error', () => incoming.destroy()).once('close', () => incoming.destroy());
    incoming.once('close', () => outgoing.destroy()).pipe(outgoing);
    outgoing.pipe(incoming);
  };
  const server = createServer((incoming) => void letThrough(incoming));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server.close(), 'close');
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
