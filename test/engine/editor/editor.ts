import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { addAgent } from '../../support/records';
import { listen } from '../../support/server';
import type { CredentialEntries, SearchOptions } from '../harness';
import { loadOptions, searchList, testCredential, useSandbox } from '../harness';

const nodeType = 'n8n-nodes-social-publishing.socialPublishing';
const service = useSandbox();

const search = (
  method: string,
  more: Partial<SearchOptions> & { credentials?: CredentialEntries } = {},
) =>
  searchList(nodeType, method, {
    credentials: service.credentials(),
    chosen: { socialPublishingApi: 'sandbox' },
    ...more,
  });

const addAccount = (platform: string, displayName: string, more = {}) =>
  service.sandbox.store.addAccount({
    workspaceId: 1,
    platform,
    platformUsername: displayName.toLowerCase(),
    displayName,
    isActive: true,
    ...more,
  });

describe('the picker of accounts', () => {
  test('offers the accounts of the workspace by name, with their ids', async () => {
    addAccount('x', 'Bakery');
    addAccount('instagram', 'Atelier');
    addAccount('tiktok', 'Café', { isActive: false });
    addAccount('friendster', 'Zoë');

    expect(await search('searchAccounts')).toEqual({
      results: [
        { name: 'friendster: Zoë (@zoë)', value: 4 },
        { name: 'Instagram: Atelier (@atelier)', value: 2 },
        { name: 'X: Bakery (@bakery)', value: 1 },
        { name: 'TikTok: Café (@café) – inactive', value: 3 },
      ],
    });
    expect(service.wire()).toEqual(['GET /api/v1/accounts?workspaceId=1']);
    expect(service.sandbox.requests[0]?.headers.authorization).toBe('Bearer sandbox_demo_pro');
  });

  test('narrows down to what is typed, without a further request', async () => {
    addAccount('x', 'Bakery');
    addAccount('instagram', 'Atelier');

    await search('searchAccounts');
    for (const filter of ['a', 'at', 'ate', 'INSTA', '@atelier', '2']) {
      const { results } = await search('searchAccounts', { filter });
      expect(results).toContainEqual({ name: 'Instagram: Atelier (@atelier)', value: 2 });
    }
    expect((await search('searchAccounts', { filter: 'bak' })).results).toEqual([
      { name: 'X: Bakery (@bakery)', value: 1 },
    ]);
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test("reads the workspace of the form before the credential's", async () => {
    service.sandbox.store.addWorkspace('Second');
    addAccount('x', 'Second bakery', { workspaceId: 2 });

    expect(
      await search('searchAccounts', { parameters: { options: { workspaceId: '2' } } }),
    ).toEqual({
      results: [{ name: 'X: Second bakery (@second bakery)', value: 1 }],
    });
  });

  test('says what to do when no workspace is known', async () => {
    await expect(
      search('searchAccounts', { credentials: service.credentials({ workspaceId: '' }) }),
    ).rejects.toMatchObject({ description: expect.stringContaining('credential') as string });
    await expect(
      search('searchAccounts', { parameters: { options: { workspaceId: 'bakery' } } }),
    ).rejects.toMatchObject({ description: expect.stringContaining('Workspace ID') as string });
    expect(service.sandbox.requests).toHaveLength(0);
  });

  test('says when the key is wrong, and asks anew once it is right', async () => {
    const { sandbox } = service;
    const credentials = service.credentials({ apiKey: 'spk_new' });
    await expect(search('searchAccounts', { credentials })).rejects.toThrow('(401)');
    sandbox.store.addKey({ name: 'New', plan: 'pro', key: 'spk_new' });
    addAccount('x', 'Bakery');

    expect((await search('searchAccounts', { credentials })).results).toHaveLength(1);
  });
});

test('the picker of accounts finds the one that has all words, in any order', async () => {
  const cities = ['Berlin', 'Hamburg', 'München', 'Köln', 'Bremen', 'Leipzig'];
  const platforms = ['instagram', 'facebook', 'x', 'linkedin', 'tiktok', 'youtube'];
  for (const platform of platforms)
    for (const city of cities) addAccount(platform, `Blue Door ${city}`);

  for (const [filter, names] of [
    ['instagram berlin', ['Instagram: Blue Door Berlin (@blue door berlin)']],
    ['BERLIN  insta', ['Instagram: Blue Door Berlin (@blue door berlin)']],
    ['koln tok', ['TikTok: Blue Door Köln (@blue door köln)']],
    ['instagram paris', []],
  ] as const) {
    const { results } = await search('searchAccounts', { filter });
    expect(results.map(({ name }) => name)).toEqual(names);
  }
});

describe('the list of time zones', () => {
  const options = async (parameters: INodeParameters) =>
    await loadOptions(nodeType, 'getTimeZones', { credentials: {}, chosen: {}, parameters });

  test.each([
    ['America/New_York', /^Workflow's zone: New York, UTC-05:00\/-04:00 \(America/],
    ['={{ $now.zoneName }}', /^Workflow's zone$/],
    [undefined, /^Workflow's zone$/],
  ])('begins with that of the workflow as the editor gives it: %s', async (zone, label) => {
    const [first] = await options(zone === undefined ? {} : { workflowTimeZone: zone });
    expect(first).toEqual({ name: expect.stringMatching(label) as string, value: '' });
  });
});

test('the picker of agents offers them with their type', async () => {
  addAgent(service.sandbox, { isActive: false });

  expect(await search('searchAgents')).toEqual({
    results: [{ name: 'Morning Ideas (content) – inactive', value: 1 }],
  });
});

describe('the test of the credential', () => {
  const tested = (more: ICredentialDataDecryptedObject = {}) =>
    testCredential(nodeType, 'socialPublishingApi', {
      ...service.credentials(more).sandbox?.data,
    });

  test('succeeds with one real request', async () => {
    expect(await tested()).toMatchObject({ status: 'OK' });
    expect(service.wire()).toEqual(['GET /api/v1/accounts?workspaceId=1']);
    expect(service.sandbox.requests[0]?.headers.authorization).toBe('Bearer sandbox_demo_pro');
  });

  test('resolves expressions in the credential', async () => {
    expect(await tested({ apiKey: "={{ ['sandbox', 'demo', 'pro'].join('_') }}" })).toMatchObject({
      status: 'OK',
    });
  });

  test('tells a wrong key', async () => {
    const { status, message } = await tested({ apiKey: 'spk_wrong' });

    expect(status).toBe('Error');
    expect(message).toContain('(401)');
    expect(message).not.toContain('spk_wrong');
  });

  test('tells a key whose plan has no API access', async () => {
    expect(await tested({ apiKey: service.sandbox.keys.creator })).toMatchObject({
      status: 'Error',
      message: expect.stringMatching(/\(403\).*Creator plan/) as string,
    });
  });

  test('tells a workspace that does not exist', async () => {
    expect(await tested({ workspaceId: '77' })).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('There is no workspace 77”.') as string,
    });
  });

  test('tells a wrong address', async () => {
    const website = await listen((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Welcome</title>');
    });
    try {
      expect(await tested({ baseUrl: `${website.origin}/api/v1` })).toMatchObject({
        status: 'Error',
        message: expect.stringMatching(/Base URL/) as string,
      });
    } finally {
      await website.close();
    }
  });

  test.each<[string, (origin: string) => string, RegExp]>([
    ['without /api/v1', (origin) => origin, /Base URL .*\d\/api\/v1\.$/],
    ['with another path', (origin) => `${origin}/wrong`, /Base URL .*\/wrong\/api\/v1\.$/],
    ['of an endpoint', (origin) => `${origin}/api/v1/posts`, /\/api\/v1\..* \/posts\.$/],
    ['of another version', (origin) => `${origin}/api/v2`, /\(404\).* \/api\/v1\b/],
    ['with https', (origin) => `${origin.replace('http', 'https')}/api/v1`, /\bhttps\b.*http:\/\//],
    ['without a scheme', (origin) => origin.replace('http://', ''), /^Base URL .*https:\/\//],
  ])('tells an address %s as what it is', async (_, addressAt, message) => {
    expect(await tested({ baseUrl: addressAt(service.sandbox.origin) })).toMatchObject({
      status: 'Error',
      message: expect.stringMatching(message) as string,
    });
    expect(service.sandbox.requests.length).toBeLessThanOrEqual(1);
  });

  test('tells the address of the dashboard as what it is', async () => {
    const dashboard = await listen((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Dashboard</title>');
    });
    const signIn = await listen((_request, response) => {
      response.writeHead(302, { Location: '/login' }).end();
    });
    for (const website of [dashboard, signIn]) {
      expect(await tested({ baseUrl: `${website.origin}/dashboard/settings` })).toMatchObject({
        status: 'Error',
        message: expect.stringMatching(/\bBase URL .*:\d+\/api\/v1\.$/) as string,
      });
      await website.close();
    }
  });

  test('tells http where the service speaks https only', async () => {
    // Without a certificate, but what it does with a request in plain text is the same.
    const secure = createServer().listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    const redirecting = await listen(({ headers, url }, response) => {
      response.writeHead(301, { Location: `https://${headers.host}${url}` }).end();
    });

    for (const origin of [`http://127.0.0.1:${port}`, redirecting.origin]) {
      expect(await tested({ baseUrl: `${origin}/api/v1` })).toMatchObject({
        status: 'Error',
        message: expect.stringMatching(/\bhttps\b.*Base URL.*https:\/\//) as string,
      });
    }
    secure.close();
    await redirecting.close();
  });

  test.each(['Bearer sandbox_demo_pro', '"sandbox_demo_pro"', ' “Bearer sandbox_demo_pro”\n'])(
    'takes the key %j without what was copied along',
    async (apiKey) => {
      expect(await tested({ apiKey })).toMatchObject({ status: 'OK' });
      expect(service.sandbox.requests[0]?.headers.authorization).toBe('Bearer sandbox_demo_pro');
    },
  );

  test('tells a service that cannot be reached', async () => {
    const gone = await listen(() => undefined);
    await gone.close();

    expect(await tested({ baseUrl: `${gone.origin}/api/v1` })).toMatchObject({
      status: 'Error',
      message: expect.stringMatching(/127\.0\.0\.1:\d+.*ECONNREFUSED/) as string,
    });
  });

  test('does not follow a redirect with the key', async () => {
    const seen: unknown[] = [];
    const elsewhere = await listen(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end('{"accounts":[]}');
    });
    const redirecting = await listen((_request, response) => {
      response.writeHead(302, { Location: `${elsewhere.origin}/api/v1/accounts` }).end();
    });
    try {
      expect(await tested({ baseUrl: `${redirecting.origin}/api/v1` })).toMatchObject({
        status: 'Error',
      });
      expect(seen).toEqual([]);
    } finally {
      await redirecting.close();
      await elsewhere.close();
    }
  });

  test.each<[string, ICredentialDataDecryptedObject, RegExp]>([
    ['an address that is none', { baseUrl: 'social.example.com' }, /^Base URL .*https:/],
    ['another protocol', { baseUrl: 'ftp://example.com/api/v1' }, /^Base URL .*\bhttp\b/],
    ['an empty address', { baseUrl: '' }, /^Base URL .*https:/],
    ['an empty key', { apiKey: ' ' }, /^API Key /],
    ['a workspace that is no number', { workspaceId: 'bakery' }, /^Workspace ID .*\b1\./],
    ['an empty workspace', { workspaceId: ' ' }, /^Workspace ID /],
  ])('refuses %s without a request', async (_what, wrong, message) => {
    expect(await tested(wrong)).toMatchObject({
      status: 'Error',
      message: expect.stringMatching(message) as string,
    });
    expect(service.sandbox.requests).toHaveLength(0);
  });
});
