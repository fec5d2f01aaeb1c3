import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox';
import { addAccount } from '../support/accounts';
import {
  hintsOf,
  nodeError,
  readWorkflow,
  runWorkflow,
  useSandbox,
  withParameters,
} from './harness';

const service = useSandbox();

const CREATE = 'Create post';

const LONG = 'x'.repeat(281);

/** Runs Create with the first account, which is on X, unless the parameters say otherwise. */
const create = async (
  parameters: INodeParameters,
  { options = {}, input = [{}] }: { options?: IDataObject; input?: IDataObject[] } = {},
): Promise<IRun> =>
  await runWorkflow(
    withParameters(readWorkflow('post.create'), CREATE, {
      content: 'Hello',
      mediaUrls: '',
      accounts: [1],
      scheduledAt: '2035-01-15T09:00',
      overrides: {},
      options: options as INodeParameters,
      ...parameters,
    }),
    { credentials: service.credentials(), input },
  );

const warnings = (run: IRun): string[] => hintsOf(run, CREATE, 'warning');

const paths = (): string[] =>
  service.sandbox.requests.map(
    ({ method, url }: LoggedRequest) => `${method} ${url.replace(/^\/api\/v1|\?.*$/g, '')}`,
  );

beforeEach(() => {
  addAccount(service.sandbox);
  service.sandbox.store.addAccount({
    workspaceId: 1,
    platform: 'instagram',
    platformUsername: 'bakery.pictures',
    displayName: 'Blue Door Bakery',
  });
});

test('a text that is short for all platforms costs no request', async () => {
  const run = await create({ content: 'x'.repeat(280), accounts: [1, 2] });

  expect(paths()).toEqual(['POST /posts']);
  expect(warnings(run)).toEqual([]);
});

test('a text that is long for X costs one request for all items, and a warning', async () => {
  const run = await create({ content: LONG }, { input: [{}, {}, {}] });

  expect(paths().sort()).toEqual(['GET /accounts', ...Array<string>(3).fill('POST /posts')]);
  expect(warnings(run)).toEqual([expect.stringMatching(/^Text .*\b280\b.* X .* \[rows 1 \D*3\]$/)]);
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
  expect(warnings(run)).toEqual([expect.stringMatching(/^Media URLs .*Instagram/)]);
});

test('a text of its own is named as the user sees it', async () => {
  const run = await create({
    accounts: [1, 2],
    overrides: {
      override: [{ socialAccountId: { __rl: true, mode: 'id', value: '1' }, content: LONG }],
    },
  });

  expect(warnings(run)).toEqual([
    expect.stringMatching(/^Different for Some Accounts → Account 1 → Text .*\b280\b/),
    expect.stringMatching(/^Media URLs .*Instagram/),
  ]);
});

test('a link to a page of Google Drive is told by its address alone', async () => {
  const run = await create({ mediaUrls: 'https://drive.google.com/file/d/1aB/view?usp=sharing' });

  expect(paths()).toEqual(['POST /posts']);
  expect(warnings(run)).toEqual([
    expect.stringContaining('https://drive.google.com/uc?export=download&amp;id=1aB'),
  ]);
});

describe('Stop With an Error', () => {
  const refuse = { options: { platformCheck: 'refuse' } };

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

test('Do Not Check reads nothing and says nothing', async () => {
  const run = await create(
    { content: LONG, mediaUrls: 'https://drive.google.com/file/d/1aB/view' },
    { options: { platformCheck: 'off' } },
  );

  expect(paths()).toEqual(['POST /posts']);
  expect(warnings(run)).toEqual([]);
});

test('Warn creates the post when the accounts cannot be read, and says so', async () => {
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
