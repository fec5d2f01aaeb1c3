import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { IDataObject, INode, INodeParameters, IRun } from 'n8n-workflow';

import { HEAD_TIMEOUT } from '../../../nodes/SocialPublishing/service/http/head';
import { addAccount } from '../../support/records';
import {
  callingTool,
  items,
  nodeError,
  readWorkflow,
  records,
  runWorkflow,
  useBakery,
  withNode,
  withParameters,
} from '../harness';

const service = useBakery();

const protection = Container.get(SsrfProtectionConfig);
// Read once, by the first request. Without it, the service itself would be blocked as well.
protection.allowedHostnames = ['localhost'];

const PREVIEW = 'Preview post';

const LONG = 'x'.repeat(281);

const NINE = '2035-01-15T09:00:00.000Z';

interface Setup {
  readonly options?: IDataObject;
  readonly input?: IDataObject[];
  readonly settings?: Partial<INode>;
  readonly workflow?: 'post.create' | 'post.preview';
}

/** Previews, or with its workflow creates, a post for the account on X. */
const run = async (
  parameters: INodeParameters,
  { options = {}, input = [{}], settings = {}, workflow = 'post.preview' }: Setup = {},
): Promise<IRun> => {
  const node = workflow === 'post.preview' ? PREVIEW : 'Create post';
  return await service.run(
    withNode(
      withParameters(readWorkflow(workflow), node, {
        content: 'Hello',
        mediaUrls: '',
        accounts: [1],
        scheduledAt: '2035-01-15T10:00',
        overrides: {},
        options: options as INodeParameters,
        ...parameters,
      }),
      node,
      settings,
    ),
    input,
  );
};

const preview = async (parameters: INodeParameters, setup?: Setup): Promise<IDataObject[]> =>
  records(await run(parameters, setup), PREVIEW);

/** The warnings of a preview: those of the post, then those of its variants. */
const warningsOf = ({ warnings, variants }: IDataObject = {}): string[] => [
  ...(warnings as string[]),
  ...(variants as IDataObject[]).flatMap((variant) => variant.warnings as string[]),
];

const paths = (): string[] =>
  service.sandbox.requests.map(
    ({ method, url }) => `${method} ${url.replace(/^\/api\/v1|\?.*$/g, '')}`,
  );

beforeEach(() => {
  addAccount(service.sandbox, { platform: 'instagram', platformUsername: 'bakery.pictures' });
});

test('shows what Create would send, and sends nothing', async () => {
  const [shown] = await preview({
    content: 'Fresh bread 🍞 https://example.com/bread',
    accounts: [1, 2],
    overrides: {
      override: [
        {
          socialAccountId: { __rl: true, mode: 'id', value: '2' },
          content: 'Fresh bread',
          mediaUrls: 'https://example.com/bread.jpg',
        },
      ],
    },
    options: { checkMediaUrls: false },
  });

  expect(shown).toEqual({
    workspaceId: 1,
    scheduledAt: NINE,
    due: 'Mon 15 Jan 2035, 10:00 (Europe/Berlin)',
    variants: [
      {
        socialAccountId: 1,
        account: 'X: Blue Door Bakery (@bakery)',
        platform: 'x',
        content: 'Fresh bread 🍞 https://example.com/bread',
        length: 38,
        limit: 280,
        mediaUrls: [],
        warnings: [],
      },
      {
        socialAccountId: 2,
        account: 'Instagram: Blue Door Bakery (@bakery.pictures)',
        platform: 'instagram',
        content: 'Fresh bread',
        length: 11,
        limit: 2200,
        mediaUrls: ['https://example.com/bread.jpg'],
        warnings: [],
      },
    ],
    warnings: [],
    requests: 1,
  });
  expect(paths()).toEqual(['GET /accounts']);
});

test('previews 500 items with one request, each linked to its item', async () => {
  const input = Array.from({ length: 500 }, (_, index) => ({ text: `Bread ${index}` }));
  const result = await run({ content: '={{ $json.text }}', accounts: 'x' }, { input });

  const shown = items(result, PREVIEW);
  expect(shown.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
  expect(shown.map(({ json }) => (json.variants as IDataObject[])[0]?.content)).toEqual(
    input.map(({ text }) => text),
  );
  expect(paths()).toEqual(['GET /accounts']);
});

describe('the requests that Create would cost', () => {
  const times = ['2035-01-01', '2035-01-02', '2035-01-03', '2035-01-02'].map((at) => ({ at }));
  const scheduledAt = '={{ $json.at }}';

  test.each<[string, INodeParameters, IDataObject, number[]]>([
    ['accounts by ID', {}, {}, [1, 1, 1, 1]],
    ['accounts by name', { accounts: 'x' }, {}, [2, 1, 1, 1]],
    ['a text that is long', { content: LONG }, {}, [2, 1, 1, 1]],
    ['a text that is long, unchecked', { content: LONG }, { ifWrong: 'ignore' }, [1, 1, 1, 1]],
    ['posts to compare with', {}, { ifScheduled: 'skip' }, [4, 0, 1, 0]],
    ['all of these', { accounts: 'x' }, { ifScheduled: 'skip' }, [5, 0, 1, 0]],
  ])('with %s are those that it costs', async (_, parameters, options, expected) => {
    service.sandbox.addPosts(297);
    service.sandbox.addPosts(1, { scheduledAt: '2035-01-01T23:00:00.000Z' });
    const setup = { options, input: times };

    const shown = await preview({ scheduledAt, ...parameters }, setup);
    service.sandbox.clearRequests();
    await run({ scheduledAt, ...parameters }, { ...setup, workflow: 'post.create' });

    expect(shown.map(({ requests }) => requests)).toEqual(expected);
    expect(service.sandbox.requests).toHaveLength(expected.reduce((sum, one) => sum + one, 0));
  });
});

test('says which time is taken, by a post or by an item before it', async () => {
  service.sandbox.addPosts(1, { scheduledAt: NINE });
  const input = [{ at: NINE }, { at: '2035-01-16T10:00' }, { at: '2035-01-16T10:00' }];
  const [taken, free, shared] = await preview(
    { scheduledAt: '={{ $json.at }}' },
    { options: { ifScheduled: 'skip' }, input },
  );

  expect(warningsOf(taken)).toEqual([expect.stringMatching(/\bID 1\b/)]);
  expect(warningsOf(free)).toEqual([]);
  expect(warningsOf(shared)).toEqual([expect.stringMatching(/ 1 /)]);

  const [failing] = await preview({}, { options: { ifScheduled: 'fail' } });
  expect(warningsOf(failing)).toEqual([expect.stringMatching(/\bID 1\b/)]);
  expect(warningsOf(failing)).not.toEqual(warningsOf(taken));
});

test('warns of what a platform does not take, also where Create would refuse it', async () => {
  const [warned] = await preview({ content: LONG });
  const [refused] = await preview({ content: LONG }, { options: { ifWrong: 'fail' } });
  const [silent] = await preview({ content: LONG }, { options: { ifWrong: 'ignore' } });

  expect(warningsOf(warned)).toEqual([expect.stringMatching(/^The text .*\b280\b/)]);
  expect(warningsOf(refused)).toEqual([
    expect.stringMatching(/If Something Looks Wrong/),
    expect.stringMatching(/^The text .*\b280\b/),
  ]);
  expect(warningsOf(silent)).toEqual([]);
  expect([warned, refused, silent].map((one) => one?.requests)).toEqual([2, 1, 1]);
  expect([warned, refused, silent].map((one) => (one?.variants as IDataObject[])[0])).toEqual(
    Array(3).fill(expect.objectContaining({ length: 281, limit: 280 })),
  );
});

test('warns of an account that is inactive, and of one that the workspace does not have', async () => {
  addAccount(service.sandbox, { platform: 'linkedin', isActive: false });
  const [byId] = await preview({ accounts: [3, 99] });
  const [byName] = await preview({ accounts: 'linkedin' });

  expect(warningsOf(byId)).toEqual([
    expect.stringMatching(/LinkedIn: Blue Door Bakery \(@bakery\)/),
    expect.stringMatching(/\b99$/),
  ]);
  expect(warningsOf(byName)).toEqual([
    expect.stringMatching(/LinkedIn: Blue Door Bakery \(@bakery\)/),
  ]);
});

test('with One Item per Account, gives rows that a person reads, refused ones at their place', async () => {
  const input = [
    { text: 'Fresh bread', at: '2035-01-15T09:00', accounts: 'x, instagram' },
    { text: 'Too late', at: '2020-01-01T09:00', accounts: 'x, nobody' },
    { text: LONG, at: '2035-01-16', accounts: 'x' },
  ];
  const result = await run(
    {
      content: '={{ $json.text }}',
      mediaUrls: 'https://example.com/a.jpg\nhttps://example.com/b.jpg',
      accounts: '={{ $json.accounts }}',
      scheduledAt: '={{ $json.at }}',
    },
    { input, options: { onePerAccount: true, checkMediaUrls: false } },
  );

  const bread = {
    due: 'Mon 15 Jan 2035, 09:00 (Europe/Berlin)',
    text: 'Fresh bread',
    picture: 'https://example.com/a.jpg',
    remarks: '',
  };
  expect(items(result, PREVIEW)).toMatchObject([
    {
      json: { ...bread, account: 'X: Blue Door Bakery (@bakery)', platform: 'x' },
      pairedItem: { item: 0 },
    },
    { json: { ...bread, platform: 'instagram' }, pairedItem: { item: 0 } },
    {
      json: {
        due: '',
        account: 'x, nobody',
        platform: '',
        text: 'Too late',
        picture: '',
        remarks: expect.stringMatching(
          /^Not created\. One of the accounts is "nobody", .*\.$/,
        ) as string,
      },
      pairedItem: { item: 1 },
    },
    {
      json: {
        due: 'Tue 16 Jan 2035, 00:00 (Europe/Berlin)',
        text: LONG,
        remarks: expect.stringMatching(/^The date .*00:00\. The text .*\b280\b.*\.$/) as string,
      },
      pairedItem: { item: 2 },
    },
  ]);
});

test('shows what Custom Body Fields put in place', async () => {
  const custom = {
    scheduledAt: '2036-01-01T00:00:00.000Z',
    variants: [{ socialAccountId: 1, content: 'Own' }],
  };
  const [shown] = await preview({}, { options: { customBodyFields: JSON.stringify(custom) } });

  expect(shown).toMatchObject({
    scheduledAt: custom.scheduledAt,
    due: 'Tue 1 Jan 2036, 01:00 (Europe/Berlin)',
    variants: [{ socialAccountId: 1, content: 'Own' }],
  });
});

test('warns of a time in Custom Body Fields that is none', async () => {
  const [shown] = await preview(
    {},
    { options: { customBodyFields: '{ "scheduledAt": "tomorrow" }' } },
  );

  expect(shown?.warnings).toEqual([expect.stringMatching(/scheduledAt is "tomorrow"/)]);
});

test('refuses what Create refuses, with the same words', async () => {
  const parameters = { scheduledAt: 'never' };
  const previewed = nodeError(await run(parameters), PREVIEW);
  const created = nodeError(await run(parameters, { workflow: 'post.create' }), 'Create post');

  expect(previewed.message).toBe(created.message);
  expect(paths()).toEqual([]);
});

test('goes on with the other items where the user wants that', async () => {
  const shown = await preview(
    { scheduledAt: '={{ $json.at }}' },
    { input: [{ at: 'never' }, { at: NINE }], settings: { onError: 'continueRegularOutput' } },
  );

  expect(shown).toEqual([
    expect.objectContaining({ error: expect.stringMatching(/\[item 0\]$/) as string }),
    expect.objectContaining({ scheduledAt: NINE }),
  ]);
});

test('passes on the quota', async () => {
  const [shown] = await preview({}, { options: { includeQuota: true } });

  expect(shown?.quota).toEqual({
    limit: '1000',
    remaining: '999',
    reset: expect.any(String) as string,
  });
});

test('an AI agent previews with the fields that it fills in for Create', async () => {
  const parameters = { resource: 'post', operation: 'preview' };
  const called = await service.run(callingTool({ parameters }), [
    { text: 'Hello', accounts: 'x', publish_at: '2035-01-15T09:00Z' },
  ]);

  const [{ answer } = {}] = records(called, 'Caller');
  expect(answer).toContain('X: Blue Door Bakery');
  expect(paths()).toEqual(['GET /accounts']);
});

describe('Check Media URLs', () => {
  let server: Server;
  let asked: IncomingMessage[];

  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request);
      const [, status = '200', type = ''] = /^\/(\d+)\/(.*)$/.exec(request.url ?? '') ?? [];
      if (status === '302') response.setHeader('location', `/200/${type}`);
      if (status === '307') response.setHeader('location', at(`/200/${type}`));
      if (status === '0') return void request.socket.destroy();
      if (status === '1') return undefined;
      if (type !== '') response.setHeader('content-type', decodeURIComponent(type));
      response.writeHead(Number(status)).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const at = (path: string): string =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  test.each([
    ['/200/image%2Fjpeg', undefined],
    ['/200/video%2Fmp4', undefined],
    ['/200/application%2Foctet-stream', undefined],
    ['/200/', undefined],
    ['/405/text%2Fhtml', undefined],
    ['/302/image%2Fpng', undefined],
    ['/302/text%2Fhtml', /^The list of pictures and videos /],
    ['/404/', /^The list of pictures and videos .*\(404\)/],
    ['/410/', /^The list of pictures and videos .*\(410\)/],
    ['/403/', /^The list of pictures and videos .*\(403\)/],
    ['/503/', /^The list of pictures and videos .*\(503\)/],
    ['/0/', /^The list of pictures and videos /],
    ['/200/text%2Fhtml%3B%20charset=utf-8', /^The list of pictures and videos /],
    ['/200/application%2Fzip', /^The list of pictures and videos .*\(application\/zip\)/],
    ['/200/image%2Fsvg%2Bxml', /^The list of pictures and videos .*\(image\/svg\+xml\)/],
  ])('of %s warns as it should', async (path, words) => {
    const [shown] = await preview({ mediaUrls: at(path) });

    expect(warningsOf(shown)).toEqual(
      words === undefined ? [] : [expect.stringMatching(words) as string],
    );
  });

  test('waits no longer than it says for a host that does not answer', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limit = jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => timeout(ms === HEAD_TIMEOUT ? 50 : ms));
    const [shown] = await preview({ mediaUrls: at('/1/') });
    limit.mockRestore();

    expect(warningsOf(shown)).toEqual([expect.stringMatching(/^The list of pictures and videos /)]);
  });

  test('asks each address once, for its head alone and without the key', async () => {
    const input = Array.from({ length: 40 }, (_, index) => ({
      media: at(`/200/image%2Fpng?${index % 4}`),
    }));
    await preview({ mediaUrls: '={{ $json.media }}', accounts: [1, 2] }, { input });

    expect(asked.map(({ method }) => method)).toEqual(Array(4).fill('HEAD'));
    for (const { headers, rawHeaders } of asked) {
      expect(headers.authorization).toBeUndefined();
      expect(rawHeaders.join(' ')).not.toContain(service.sandbox.keys.pro);
    }
  });

  test('asks nothing when it is off, nor for a page of Google Drive', async () => {
    await preview({ mediaUrls: at('/404/') }, { options: { checkMediaUrls: false } });
    const [drive] = await preview({ mediaUrls: 'https://drive.google.com/file/d/1aB/view' });

    expect(asked).toEqual([]);
    expect(warningsOf(drive)).toEqual([expect.stringContaining('uc?export=download&id=1aB')]);
  });

  test('knows a picture by its type, where its address does not tell', async () => {
    addAccount(service.sandbox, { platform: 'youtube' });
    const [picture] = await preview({ accounts: [3], mediaUrls: at('/200/image%2Fpng') });
    const [video] = await preview({ accounts: [3], mediaUrls: at('/200/video%2Fmp4') });

    expect(warningsOf(picture)).toEqual([
      expect.stringMatching(/^The list of pictures and videos .*YouTube/),
    ]);
    expect(warningsOf(video)).toEqual([]);
  });

  test.each([
    ['an address', () => at('/200/image%2Fpng'), []],
    [
      'what an address redirects to',
      () => at('/307/image%2Fpng').replace('127.0.0.1', 'localhost'),
      ['/307/image%2Fpng'],
    ],
  ])('keeps away from %s that n8n is set up to block', async (_, address, reached) => {
    protection.enabled = true;
    const baseUrl = service.sandbox.baseUrl.replace('127.0.0.1', 'localhost');
    const result = await runWorkflow(
      withParameters(readWorkflow('post.preview'), PREVIEW, {
        content: 'Hello',
        accounts: [1],
        overrides: {},
        scheduledAt: '2035-01-15T10:00',
        mediaUrls: address(),
      }),
      { credentials: service.credentials({ baseUrl }) },
    ).finally(() => {
      protection.enabled = false;
    });

    expect(warningsOf(records(result, PREVIEW)[0])).toEqual([
      expect.stringMatching(/^The list of pictures and videos /),
    ]);
    expect(asked.map(({ url }) => url)).toEqual(reached);
  });
});

describe('in the next free slot', () => {
  const slots = { publish: 'slot', slots: { slot: [{ days: [1, 2, 3, 4, 5], times: '09:00' }] } };

  test('reads the accounts and the posts, and sends nothing', async () => {
    service.sandbox.addPosts(150);
    await preview(slots, { input: [{}, {}] });

    expect(paths()).toEqual(['GET /accounts', 'GET /posts', 'GET /posts']);
  });

  test('keeps free what another item asks for', async () => {
    const [{ scheduledAt: first } = {}] = await preview(slots);
    const shown = await preview(
      { ...slots, publish: '={{ $json.at ? "at" : "slot" }}', scheduledAt: '={{ $json.at }}' },
      { input: [{}, { at: first }] },
    );

    expect(shown[1]?.scheduledAt).toBe(first);
    expect((shown[0]?.scheduledAt as string) > (first as string)).toBe(true);
  });

  test('warns of an item that gets none', async () => {
    const shown = await preview(slots, { input: Array.from({ length: 70 }, () => ({})) });

    expect(shown.at(-1)).toMatchObject({ scheduledAt: null, due: null, requests: 0 });
    expect(warningsOf(shown.at(-1))).toEqual([expect.stringMatching(/^Slots .*\b90\b/)]);
    expect(warningsOf(shown[0])).toEqual([]);
  });
});
