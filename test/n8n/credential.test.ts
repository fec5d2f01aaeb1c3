import { randomUUID } from 'node:crypto';

import { chain } from '../../scripts/n8n/chain';
import { freePort } from '../../scripts/n8n/ports';
import { Bench } from './support/bench';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

beforeEach(() => bench.sandbox.clearRequests());

afterAll(() => bench.close());

/** Saves a credential and presses "Test". */
async function press(overrides: Record<string, string>) {
  const credential = {
    name: `Under test ${randomUUID()}`,
    type: 'socialPublishingApi',
    data: { baseUrl: bench.sandbox.baseUrl, apiKey: bench.apiKey, workspaceId: '1', ...overrides },
  };
  const id = await bench.api.saveCredential(credential);
  return await bench.api.testCredential(id, credential);
}

test('a right one is accepted after one real request', async () => {
  expect(await press({})).toMatchObject({ status: 'OK' });
  expect(bench.sandbox.requests).toHaveLength(1);
  expect(bench.sandbox.requests[0]?.headers.authorization).toBe(`Bearer ${bench.apiKey}`);
});

test.each(['/', '  ', '///', ' \n'])('a base URL followed by %j does no harm', async (tail) => {
  expect(await press({ baseUrl: `${bench.sandbox.baseUrl}${tail}` })).toMatchObject({
    status: 'OK',
  });
});

test('a workspace that is not there is told apart', async () => {
  const { status, message } = await press({ workspaceId: '77' });
  expect(status).toBe('Error');
  expect(message).toMatch(/\b77\b/);
});

test('a wrong key is told apart', async () => {
  const { status, message } = await press({ apiKey: 'wrong' });
  expect(status).toBe('Error');
  expect(message).toMatch(/\(401\)/);
});

test('a key of a plan without API access is told apart', async () => {
  const { status, message } = await press({ apiKey: bench.sandbox.keys.creator });
  expect(status).toBe('Error');
  expect(message).toMatch(/\(403\)/);
});

test('a wrong path is told apart', async () => {
  const { status, message } = await press({ baseUrl: `${bench.sandbox.origin}/api/v2` });
  expect(status).toBe('Error');
  expect(message).toMatch(/\/api\/v1/);
});

test('a service that is not there is told apart', async () => {
  const { status, message } = await press({
    baseUrl: `http://127.0.0.1:${await freePort()}/api/v1`,
  });
  expect(status).toBe('Error');
  expect(message).toMatch(/127\.0\.0\.1:\d+.*ECONNREFUSED/);
});

test('a host that does not exist is told apart', async () => {
  const { status, message } = await press({ baseUrl: 'http://service.invalid/api/v1' });
  expect(status).toBe('Error');
  expect(message).toMatch(/service\.invalid/);
});

test.each<[string, (origin: string) => string, RegExp]>([
  ['without /api/v1', (origin) => origin, /^The Base URL .*\/api\/v1\.$/],
  ['of the dashboard', (origin) => `${origin}/?settings`, /^Base URL .*\/api\/v1/],
  ['with https', (origin) => `${origin.replace('http', 'https')}/api/v1`, /https.* http:\/\//],
  ['without a scheme', (origin) => origin.replace('http://', ''), /^Base URL .*https:/],
])('an address %s is told as what it is', async (_, addressAt, text) => {
  const { status, message } = await press({ baseUrl: addressAt(bench.sandbox.origin) });
  expect(status).toBe('Error');
  expect(message).toMatch(text);
  expect(bench.sandbox.requests.length).toBeLessThanOrEqual(1);
});

test('a key is read without Bearer and quotation marks, also by the HTTP Request node', async () => {
  const apiKey = `"Bearer ${bench.apiKey}"`;
  expect(await press({ apiKey })).toMatchObject({ status: 'OK' });

  const { api } = bench;
  const type = 'socialPublishingApi';
  const data = { baseUrl: bench.sandbox.baseUrl, apiKey, workspaceId: '1' };
  const id = await api.saveCredential({ name: `Quoted ${randomUUID()}`, type, data });
  const workflow = chain([
    { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
    {
      name: 'HTTP Request',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      parameters: {
        url: `${bench.sandbox.baseUrl}/accounts?workspaceId=1`,
        authentication: 'predefinedCredentialType',
        nodeCredentialType: type,
      },
      credential: type,
    },
  ]);
  await api.saveWorkflow(workflow, { [type]: id });

  expect((await api.runWorkflow(workflow.id, 'Start')).status).toBe('success');
  expect(bench.sandbox.requests.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${bench.apiKey}`,
    `Bearer ${bench.apiKey}`,
  ]);
});

test.each(['ftp://127.0.0.1/api/v1', 'service', 'javascript:alert(1)'])(
  'the base URL %s is refused without a request',
  async (baseUrl) => {
    const { status, message } = await press({ baseUrl });
    expect(status).toBe('Error');
    expect(message).toMatch(/^Base URL/);
    expect(bench.sandbox.requests).toHaveLength(0);
  },
);

test('a web site that answers with HTML is told apart', async () => {
  bench.sandbox.faults.add({ kind: 'html', times: 1 });
  const { status, message } = await press({});
  expect(status).toBe('Error');
  expect(message).toMatch(/Base URL/);
});

test('no message holds the key', async () => {
  const apiKey = `key-${randomUUID()}`;
  bench.sandbox.faults.add({
    kind: 'status',
    status: 500,
    body: { error: `Bearer ${apiKey}` },
    times: 5,
  });
  for (const baseUrl of [
    bench.sandbox.baseUrl,
    `${bench.sandbox.origin}/api/v2`,
    'http://service.invalid/',
  ]) {
    const { status, message } = await press({ apiKey, baseUrl });
    expect(status).toBe('Error');
    expect(message).not.toContain(apiKey);
  }
  bench.sandbox.faults.clear();
});
