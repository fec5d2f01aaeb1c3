import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new key, and a certificate that signs itself with it. */
function selfSigned(name: string): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'social-publishing-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-subj', `/CN=${name}`],
      { stdio: 'pipe' },
    );
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A server that speaks https with a certificate that nobody trusts. */
export interface UntrustedServer {
  readonly baseUrl: string;
  /** How many connections were made to it. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1 whose certificate signs itself. */
export async function listenUntrusted(): Promise<UntrustedServer> {
  let connections = 0;
  const server = createServer(selfSigned('127.0.0.1'), (_request, response) => response.end('{}'));
  server.on('connection', () => connections++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
