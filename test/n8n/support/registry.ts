import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

import type { PackedPackage } from '../../../scripts/n8n/pack';

/** A package in a {@link Registry}. */
export interface Published {
  name: string;
  version: string;
  /** As n8n's list of packages takes it, and as npm shows it: `dist.integrity`. */
  checksum: string;
}

/** An npm registry on loopback. */
export interface Registry {
  published: Published[];
  /** The paths that were requested. */
  requests: string[];
  /** The environment that makes an n8n install from here, and from nowhere else. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Starts a registry that has the given packages. n8n without a license names npm's own registry on
 * npm's command line, so that the environment puts an npm first on the PATH that names this one after
 * it. All other requests of n8n end at a proxy that refuses them.
 *
 * @param folder for that npm and its cache
 */
export async function startRegistry(folder: string, packages: PackedPackage[]): Promise<Registry> {
  const requests: string[] = [];
  const answers = new Map<string, Buffer | object>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    const answer = answers.get(path);
    if (!answer) response.writeHead(404).end('{"error":"Not found"}');
    else response.end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
  });
  server.on('connect', (_request, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const published = await Promise.all(
    packages.map(async ({ name, version, tarball }) => {
      const bytes = await readFile(tarball);
      const checksum = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      const path = `/${name}/-/${basename(tarball)}`;
      const dist = { tarball: origin + path, integrity: checksum };
      const versions = { [version]: { name, version, dist } };
      answers.set(path, bytes);
      answers.set(`/${name}`, { name, 'dist-tags': { latest: version }, versions });
      return { name, version, checksum };
    }),
  );

  const bin = join(folder, 'bin');
  const path = process.env['PATH'] ?? '';
  await mkdir(bin, { recursive: true });
  await writeFile(
    join(bin, 'npm'),
    `#!/bin/sh\nPATH='${path}' exec npm "$@" --registry=${origin} --cache='${join(folder, 'cache')}'\n`,
  );
  await chmod(join(bin, 'npm'), 0o755);
  return {
    published,
    requests,
    environment: { PATH: `${bin}:${path}`, HTTPS_PROXY: origin, NO_PROXY: '127.0.0.1' },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
