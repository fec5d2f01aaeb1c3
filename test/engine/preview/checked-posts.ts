import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';

import type { LoggedRequest } from '../../../sandbox';
import { addAccount } from '../../support/records';
import { creating, hintsOf, items, nodeError, useBakery } from '../harness';

const service = useBakery();

const CREATE = 'Create post';

const LONG = 'x'.repeat(281);

/** Runs Create with the first account, which is on X, unless the parameters say otherwise. */
const create = async (
  parameters: INodeParameters,
  { options = {}, input = [{}] }: { options?: IDataObject; input?: IDataObject[] } = {},
): Promise<IRun> =>
  await service.run(
    creating({
      content: 'Hello',
      scheduledAt: '2035-01-15T09:00',
      options: options as INodeParameters,
      ...parameters,
    }),
    input,
  );

const warnings = (run: IRun): string[] => hintsOf(run, CREATE, 'warning');

const paths = (): string[] =>
  service.sandbox.requests.map(
    ({ method, url }: LoggedRequest) => `${method} ${url.replace(/^\/api\/v1|\?.*$/g, '')}`,
  );

beforeEach(() => {
  addAccount(service.sandbox, { platform: 'instagram', platformUsername: 'bakery.pictures' });
});

test('a text that is long for X costs one request for all items, and a warning', async () => {
  const run = await create({ content: LONG }, { input: [{}, {}, {}] });

  expect(paths().sort()).toEqual(['GET /accounts', ...Array<string>(3).fill('POST /posts')]);
  expect(warnings(run)).toEqual([
    expect.stringMatching(/^The text .*\b280\b.* X .* \[rows 1 \D*3\]$/),
  ]);
});

test('a text that is long for X and goes to Instagram alone brings no warning of its length', async () => {
  const run = await create({
    content: LONG,
    accounts: [2],
    mediaUrls: 'https://example.com/bread.jpg',
  });

  expect(paths()).toEqual(['GET /accounts', 'POST /posts']);
  expect(warnings(run)).toEqual([]);
});

test('a link counts on X as 23 characters', async () => {
  const text = `${'x'.repeat(256)} https://example.com/${'y'.repeat(300)}`;
  const run = await create({ content: text });

  expect(paths()).toEqual(['GET /accounts', 'POST /posts']);
  expect(warnings(run)).toEqual([]);
});

test('accounts that are named are checked without a request of its own', async () => {
  const run = await create({ accounts: 'instagram' });

  expect(paths()).toEqual(['GET /accounts', 'POST /posts']);
  expect(warnings(run)).toEqual([
    expect.stringMatching(/^The list of pictures and videos .*Instagram/),
  ]);
});

test('a warning names no field of the node, but the platform', async () => {
  const run = await create({
    accounts: [1, 2],
    overrides: {
      override: [{ socialAccountId: { __rl: true, mode: 'id', value: '1' }, content: LONG }],
    },
  });

  expect(warnings(run)).toEqual([
    expect.stringMatching(/^The text .*\b280\b.* X /),
    expect.stringMatching(/^The list of pictures and videos .*Instagram/),
  ]);
});

describe('a share link', () => {
  const FILE = 'https://drive.google.com/file/d/1aB/view?usp=sharing';
  const FOLDER = 'https://drive.google.com/drive/folders/1aB';

  const mediaSent = (): unknown[] =>
    service.sandbox.store.posts.map(({ variants }) => variants[0]?.mediaUrls);

  test('to a file is sent as the address of the file, and a line says so', async () => {
    const input = [{ media: [FILE] }, { media: ['https://example.com/a.jpg'] }];
    const run = await create({ mediaUrls: '={{ $json.media }}' }, { input });

    expect(mediaSent()).toEqual([
      ['https://drive.google.com/uc?export=download&id=1aB'],
      ['https://example.com/a.jpg'],
    ]);
    expect(hintsOf(run, CREATE, 'info')).toContainEqual(expect.stringMatching(/^A share link /));
    expect(warnings(run)).toEqual([]);
  });

  test('to a file in the variants as JSON is sent so, too', async () => {
    const variants = [{ socialAccountId: 1, mediaUrls: [FILE] }];
    await create({}, { options: { variantsJson: JSON.stringify(variants) } });

    expect(mediaSent()).toEqual([['https://drive.google.com/uc?export=download&id=1aB']]);
  });

  test('to a file is kept if the user wants that', async () => {
    const run = await create({ mediaUrls: FILE }, { options: { keepShareLinks: true } });

    expect(mediaSent()).toEqual([[FILE]]);
    expect(warnings(run)).toEqual([]);
  });

  test('to a folder brings a warning, or stops', async () => {
    const run = await create({ mediaUrls: FOLDER });
    const stopped = await create({ mediaUrls: FOLDER }, { options: { ifWrong: 'fail' } });

    expect(paths()).toEqual(['POST /posts']);
    expect(warnings(run)).toEqual([expect.stringContaining(FOLDER)]);
    expect(nodeError(stopped, CREATE).context).toMatchObject({ field: 'mediaUrls' });
  });
});

test('an item says when its post is due, and what looks wrong with it', async () => {
  const input = [
    { at: '2035-01-16', text: LONG },
    { at: '2035-01-17T09:00', text: 'Hello' },
  ];
  const run = await create(
    { accounts: 'x', content: '={{ $json.text }}', scheduledAt: '={{ $json.at }}' },
    { input },
  );

  const [wrong, right] = items(run, CREATE).map(({ json }) => json);
  expect(wrong).toMatchObject({
    due: 'Tue 16 Jan 2035, 00:00 (Europe/Berlin)',
    warnings: [
      expect.stringMatching(/^The date .*09:00/),
      expect.stringMatching(/^The text .*\b280\b/),
    ],
  });
  expect(right).toMatchObject({ due: 'Wed 17 Jan 2035, 09:00 (Europe/Berlin)' });
  expect(right).not.toHaveProperty('warnings');
});

describe('Stop With an Error', () => {
  const refuse = { options: { ifWrong: 'fail' } };

  test.each<[string, INodeParameters, string, string]>([
    ['a date without a time', { scheduledAt: '2035-01-15' }, 'noTimeOfDay', 'scheduledAt'],
    ['an inactive account', { accounts: 'tiktok' }, 'inactiveAccount', 'accounts'],
  ])('sends nothing for %s', async (_, parameters, code, field) => {
    addAccount(service.sandbox, {
      platform: 'tiktok',
      platformUsername: 'old',
      displayName: 'Old',
      isActive: false,
    });
    const run = await create(parameters, refuse);

    expect(nodeError(run, CREATE).context).toMatchObject({ code, field, certainty: 'notSent' });
    expect(service.sandbox.store.posts).toEqual([]);
  });

  test('sends nothing, also not for the items that are within the limits', async () => {
    const run = await create(
      { content: '={{ $json.text }}' },
      { ...refuse, input: [{ text: 'Hello' }, { text: LONG }] },
    );

    const { message, context } = nodeError(run, CREATE);
    expect(message).toMatch(/280/);
    expect(context).toMatchObject({
      code: 'platformRefuses',
      field: 'content',
      certainty: 'notSent',
      itemIndex: 1,
    });
    expect(paths()).toEqual(['GET /accounts']);
  });

  test('names the field of the media', async () => {
    const run = await create({ accounts: 'instagram' }, refuse);

    expect(nodeError(run, CREATE).context).toMatchObject({
      code: 'platformRefuses',
      field: 'mediaUrls',
    });
    expect(paths()).toEqual(['GET /accounts']);
  });

  test('sends nothing when the accounts cannot be read', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 403, path: '/accounts' });

    const run = await create({ content: LONG }, refuse);

    expect(nodeError(run, CREATE).context).toMatchObject({ code: 'notAllowed' });
    expect(service.sandbox.store.posts).toEqual([]);
  });
});

test('Send Anyway reads nothing and says nothing', async () => {
  const run = await create(
    {
      content: LONG,
      mediaUrls: 'https://drive.google.com/drive/folders/1aB',
      scheduledAt: '2035-01-15',
    },
    { options: { ifWrong: 'ignore' } },
  );

  expect(paths()).toEqual(['POST /posts']);
  expect(warnings(run)).toEqual([]);
});

test('Send and Warn creates the post when the accounts cannot be read, and says so', async () => {
  service.sandbox.faults.add({ kind: 'status', status: 403, path: '/accounts' });

  const run = await create({ content: LONG });

  expect(service.sandbox.store.posts).toHaveLength(1);
  expect(warnings(run)).toEqual([expect.stringMatching(/\b403\b/)]);
});

test('what Custom Body Fields put in place of the variants is judged', async () => {
  const variants = [{ socialAccountId: 1, content: LONG }];
  const run = await create({}, { options: { customBodyFields: JSON.stringify({ variants }) } });

  expect(warnings(run)).toEqual([expect.stringMatching(/^Options → Custom Body Fields .*\b280\b/)]);
});

test('variants that are given as JSON are judged', async () => {
  const variants = [{ socialAccountId: 1, content: LONG }];
  const run = await create({}, { options: { variantsJson: JSON.stringify(variants) } });

  expect(warnings(run)).toEqual([expect.stringMatching(/Variants \(JSON\).*\b280\b/)]);
});
