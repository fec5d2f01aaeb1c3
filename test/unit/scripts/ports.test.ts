import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { originOf } from '../../../sandbox/urls';
import { assertPortFree, freePort } from '../../../scripts/n8n/ports';

test('a free port is accepted', async () => {
  await expect(assertPortFree(await freePort(), 'n8n', '--n8n-port')).resolves.toBeUndefined();
});

test('a free port is outside the range of outgoing connections', async () => {
  const found = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(found.filter((port) => port >= 32_768)).toEqual([]);
});

test('a port in use is an error that names its program and the option to set another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(assertPortFree(port, 'n8n', '--n8n-port')).rejects.toThrow(
    new RegExp(`Port ${port} for n8n is in use.*--n8n-port <port>`),
  );
  server.close();
});

test('a port that becomes free a moment later is accepted', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = assertPortFree(port, 'the sandbox', '--sandbox-port');
  server.close();
  await expect(check).resolves.toBeUndefined();
});

test('a port that browsers refuse is an error that names the option to set another', async () => {
  await expect(assertPortFree(6666, 'n8n', '--n8n-port')).rejects.toThrow(
    /^Port 6666 for n8n .*--n8n-port <port>/,
  );
});

test.each([
  ['127.0.0.1', 80, 'http://127.0.0.1'],
  ['0.0.0.0', 4010, 'http://127.0.0.1:4010'],
  ['::1', 4010, 'http://[::1]:4010'],
])('a server at %s, port %d is reached at %s', (host, port, origin) => {
  expect(originOf(host, port)).toBe(origin);
});
