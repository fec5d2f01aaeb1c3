import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { freePort } from '../../scripts/n8n/ports';
import { outputOf } from '../../scripts/n8n/rest';
import { listenUntrusted } from '../support/certificate';
import { Bench } from './support/bench';

const inAWeek = new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString();

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

beforeEach(() => {
  bench.sandbox.faults.clear();
  bench.sandbox.clearRequests();
});

afterAll(() => bench.close());

const create = (fields: INodeParameters = {}): INodeParameters => ({
  resource: 'post',
  operation: 'create',
  content: 'Hello',
  accounts: [1],
  scheduledAt: inAWeek,
  ...fields,
});

const agent = (fields: INodeParameters = {}): INodeParameters => ({
  resource: 'agent',
  operation: 'create',
  name: 'Scout',
  type: 'seo',
  scheduleMode: 'cron',
  schedule: '0 3 * * 0',
  ...fields,
});

describe('bad input is refused before a request is sent, naming the field and the item', () => {
  test.each<[string, INodeParameters, RegExp]>([
    ['no account', create({ accounts: '={{ [] }}' }), /^Accounts /],
    ['no text and no media', create({ content: '={{ "" }}' }), /^Text /],
    ['a relative media URL', create({ mediaUrls: '/a.jpg' }), /^Media URLs/],
    ['a date that is none', create({ scheduledAt: 'the day after never' }), /^Date and Time/],
    ['no date', create({ scheduledAt: '={{ "" }}' }), /^Date and Time /],
    [
      'a time that has passed',
      create({ scheduledAt: '2020-01-05T10:00Z' }),
      /^Date and Time .*2020/,
    ],
    ['a workspace that is no integer', create({ options: { workspaceId: '1.5' } }), /Workspace ID/],
    [
      'an expression that fails',
      create({ content: "={{ $('Nobody').item.json.text }}" }),
      /^Text [^<]+$/,
    ],
    ['malformed JSON', create({ options: { variantsJson: '[{' } }), /Variants \(JSON\)/],
    ['a cron of four fields', agent({ schedule: '0 3 * *' }), /^Cron Expression/],
    [
      'an agent that is no number',
      {
        resource: 'agent',
        operation: 'update',
        agentId: { __rl: true, mode: 'id', value: '={{ "x" }}' },
        updateFields: { isActive: false },
      },
      /^Agent .*"x"/,
    ],
  ])('%s', async (_name, parameters, field) => {
    const { error } = await bench.run(parameters);
    expect(error?.message).toMatch(field);
    expect(error?.message).toMatch(/item 0/);
    expect(bench.sandbox.requests).toHaveLength(0);
  });
});

describe('what the service or the network does wrong is put in words that help', () => {
  const faults: Array<[string, Fault, string]> = [
    ['401', { kind: 'status', status: 401 }, 'keyNotAccepted'],
    ['403', { kind: 'status', status: 403 }, 'notAllowed'],
    ['404', { kind: 'status', status: 404 }, 'notFound'],
    [
      '422',
      { kind: 'status', status: 422, body: { message: 'content is too long' } },
      'invalidValues',
    ],
    ['an HTML page with status 200', { kind: 'html' }, 'unexpectedResponse'],
    ['an empty body with status 200', { kind: 'empty' }, 'unexpectedResponse'],
    ['JSON of another shape', { kind: 'wrongShape', body: { ok: true } }, 'unexpectedResponse'],
  ];

  test.each(faults)('reading: %s', async (_name, fault, code) => {
    bench.sandbox.faults.add(fault);
    const { error } = await bench.run({ resource: 'account', operation: 'getAll' });
    expect(error?.context).toMatchObject({ code });
    expect(error?.description).not.toBe('');
  });

  test('what the service says is passed on', async () => {
    bench.sandbox.faults.add({
      kind: 'status',
      status: 422,
      body: { message: 'content is too long' },
    });
    const { error } = await bench.run(create());
    expect(error?.description).toContain('content is too long');
  });

  test('writing: 500 says that it may have been carried out, and is not sent again', async () => {
    bench.sandbox.faults.add({ kind: 'status', status: 500, times: 1 });
    const { error } = await bench.run(create());
    expect(error?.context).toMatchObject({ code: 'serviceFailed', certainty: 'uncertain' });
    expect(bench.sandbox.requests).toHaveLength(1);
  });

  test('a refused connection', async () => {
    const credentialId = await bench.api.saveCredential({
      name: 'Nobody there',
      type: 'socialPublishingApi',
      data: {
        baseUrl: `http://127.0.0.1:${await freePort()}/api/v1`,
        apiKey: 'any',
        workspaceId: '1',
      },
    });
    const { error } = await bench.run(create(), { credentialId });
    expect(error?.context).toMatchObject({ code: 'unreachable', certainty: 'notSent' });
  });
});

test('Continue On Fail gives an item per failed input with the message, and keeps the rest', async () => {
  const { execution, items } = await bench.run(create({ scheduledAt: '={{ $json.when }}' }), {
    items: [{ when: inAWeek }, { when: 'never' }, { when: inAWeek }],
    settings: { onError: 'continueRegularOutput' },
  });
  expect(execution.status).toBe('success');
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
    { item: 0 },
    { item: 1 },
    { item: 2 },
  ]);
  expect(items[0]?.json).toMatchObject({ status: 'scheduled' });
  expect(items[1]?.json['error']).toMatch(/Date and Time.*item 1/);
  expect(items[2]?.json).toMatchObject({ status: 'scheduled' });
  expect(bench.sandbox.requests).toHaveLength(2);
});

test('with the error output, failed items leave by it, and no others', async () => {
  bench.sandbox.faults.add({ kind: 'status', status: 422, after: 1, times: 1 });
  const { execution, items } = await bench.run(
    create({ scheduledAt: '={{ $json.when }}', options: { concurrency: 1 } }),
    {
      items: [{ when: inAWeek }, { when: 'never' }, { when: inAWeek }, { when: inAWeek }],
      settings: { onError: 'continueErrorOutput' },
    },
  );
  expect(execution.status).toBe('success');
  expect(items.map(({ json, pairedItem }) => [json['status'], pairedItem])).toEqual([
    ['scheduled', { item: 0 }],
    ['scheduled', { item: 3 }],
  ]);
  const failed = outputOf(execution, 'Social Publishing', 1);
  expect(failed.map(({ json }) => json['details'] as IDataObject)).toMatchObject([
    { certainty: 'notSent' },
    { code: 'invalidValues', certainty: 'refused', httpCode: 422 },
  ]);
  expect(failed[0]?.json['error']).toMatch(/Date and Time.*item 1/);
  expect(failed[1]?.json['error']).toMatch(/item 2/);
  expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
});

test('a stop in the middle says which posts exist now', async () => {
  bench.sandbox.faults.add({ kind: 'status', status: 422, after: 1, times: 1 });
  const { error } = await bench.run(create({ options: { concurrency: 1 } }), {
    items: [{}, {}, {}],
  });
  const post = bench.sandbox.store.posts.at(-1);
  expect(error?.message).toMatch(/item 1/);
  expect(error?.description).toMatch(
    new RegExp(`\\b0\\b\\D*\\b${post?.id}\\b.*\\b1\\b\\D*\\b2\\b`),
  );
  expect(bench.sandbox.requests).toHaveLength(2);
});

test('a certificate that n8n does not trust is told as that, after one connection', async () => {
  const server = await listenUntrusted();
  try {
    const credentialId = await bench.api.saveCredential({
      name: 'Untrusted',
      type: 'socialPublishingApi',
      data: { baseUrl: server.baseUrl, apiKey: 'key', workspaceId: '1' },
    });
    const before = server.connections();

    const { error } = await bench.run({ resource: 'agent', operation: 'getAll' }, { credentialId });

    expect(error?.context).toMatchObject({ code: 'untrustedCertificate', certainty: 'notSent' });
    expect(error?.description).toContain('NODE_EXTRA_CA_CERTS');
    expect(server.connections() - before).toBe(1);
  } finally {
    await server.close();
  }
});
