import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

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
