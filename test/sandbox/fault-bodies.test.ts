import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';

import { type Sandbox, startSandbox } from '../../sandbox';
import { addAccount } from '../support/records';
import { callApi, postBody, until } from './helpers';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ seed: false });
  addAccount(sandbox);
  sandbox.addPosts(3);
});

afterEach(() => sandbox.close());

const list = () => callApi(sandbox, '/posts?workspaceId=1');

/** Starts a request and returns its response with the body unread and still encoded. */
async function openList(): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${sandbox.keys.agency}` };
  const request = httpRequest(`${sandbox.baseUrl}/posts?workspaceId=1`, { headers }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Reads a response to the end, which may be an error. */
function closeOf(response: IncomingMessage): Promise<void> {
  response.on('error', () => undefined).resume();
  return new Promise((resolve) => response.once('close', resolve));
}

async function firstBytes(response: IncomingMessage, count: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= count) break; // This also destroys the connection.
  }
  return Buffer.concat(chunks);
}

describe('an endless body', () => {
  test('goes on for as long as the client reads', async () => {
    sandbox.faults.add({ kind: 'endlessBody' });
    const response = await openList();
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['content-length']).toBeUndefined();
    const bytes = await firstBytes(response, 5_000_000);
    expect(bytes.toString().startsWith('{"posts":[{"id":1,')).toBe(true);
    expect(sandbox.requests[0]?.status).toBe(200);
  });

  test('is in flight until the client leaves', async () => {
    sandbox.faults.add({ kind: 'endlessBody', times: 1 });
    const response = await openList();
    await list();
    expect(sandbox.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2]);
    response.destroy();
    await until(() => {
      sandbox.clearRequests();
      return sandbox.maxInFlight === 0;
    });
  });

  test('does not keep the sandbox from closing', async () => {
    sandbox.faults.add({ kind: 'endlessBody' });
    const response = await openList();
    const closed = closeOf(response);
    await sandbox.close();
    await closed;
  });
});

describe('a compressed bomb', () => {
  test('is small on the wire and large when decompressed, and still the documented JSON', async () => {
    const before = await list();
    sandbox.faults.add({ kind: 'gzipBomb', mebibytes: 8 });
    const encoded = await firstBytes(await openList(), Infinity);
    const { headers, text, json } = await list();
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(encoded.length).toBeLessThan(50_000);
    expect(text.length - before.text.length).toBe(8 * 2 ** 20);
    expect(json).toEqual(before.json);
  });

  test('answers a write that was processed', async () => {
    sandbox.faults.add({ kind: 'gzipBomb', mebibytes: 1 });
    const { status, json } = await callApi(sandbox, '/posts', { body: postBody() });
    expect([status, json]).toMatchObject([201, { post: { id: 4 } }]);
  });
});

describe('a slow body', () => {
  test('arrives byte by byte, complete', async () => {
    const before = await list();
    sandbox.faults.add({ kind: 'slowBody', everyMs: 1 });
    const response = await openList();
    expect(Number(response.headers['content-length'])).toBe(Buffer.byteLength(before.text));
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(before.text);
    expect(chunks.length).toBeGreaterThan(10);
  });

  test('does not keep the sandbox from closing', async () => {
    sandbox.faults.add({ kind: 'slowBody', everyMs: 600_000 });
    const response = await openList();
    const closed = closeOf(response);
    await sandbox.close();
    await closed;
  });
});

describe('deeply nested JSON', () => {
  test('has 200,000 arrays in the first record, and the rest as documented', async () => {
    const before = await list();
    sandbox.faults.add({ kind: 'deepJson' });
    const { text } = await list();
    expect(text.startsWith(`{"posts":[{"nested":${'['.repeat(200_000)}]`)).toBe(true);
    expect(text.replace(/"nested":\[+\]+,/, '')).toBe(before.text);
  });

  test.each([
    ['/accounts?workspaceId=1', '{"accounts":[{"nested":[[]],"id":1'],
    ['/agents?workspaceId=1', '{"nested":[[]],"agents":[]'],
    ['/analytics?workspaceId=1', '{"analytics":{"nested":[[]],"totalPosts":0'],
  ])('is also in %s', async (path, beginning) => {
    sandbox.faults.add({ kind: 'deepJson', depth: 2 });
    const { text, json } = await callApi(sandbox, path);
    expect(text.startsWith(beginning)).toBe(true);
    expect(json).toBeDefined();
  });
});

describe('a wrong charset', () => {
  test.each([
    [{}, 'application/json; charset=utf-8', 'utf16le'],
    [{ encoding: 'latin1' }, 'application/json; charset=utf-8', 'latin1'],
    [{ encoding: 'utf8', charset: 'iso-8859-1' }, 'application/json; charset=iso-8859-1', 'utf8'],
  ] as const)('%j declares %s and sends %s', async (settings, contentType, encoding) => {
    const account = sandbox.store.account(1);
    if (account) account.displayName = 'Müller';
    sandbox.faults.add({ kind: 'wrongCharset', ...settings });
    const response = await fetch(`${sandbox.baseUrl}/accounts?workspaceId=1`, {
      headers: { Authorization: `Bearer ${sandbox.keys.agency}` },
    });
    expect(response.headers.get('content-type')).toBe(contentType);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
    expect(JSON.parse(bytes.toString(encoding))).toMatchObject({
      accounts: [{ displayName: 'Müller' }],
    });
  });
});
