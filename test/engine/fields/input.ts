import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { like } from '../../support/like';
import { addAccount } from '../../support/records';
import type { RunOptions } from '../harness';
import {
  creating,
  nodeError,
  readWorkflow,
  runWorkflow,
  useSandbox,
  withParameters,
} from '../harness';

const service = useSandbox();

/**
 * What the user is told when the second of two items is wrong.
 *
 * @throws when a request went out, or when the node didn't fail
 */
async function refusal(
  workflowName: string,
  parameters: INodeParameters,
  good: IDataObject,
  bad: IDataObject,
  options: RunOptions = {},
): Promise<string> {
  const workflow = readWorkflow(workflowName);
  const nodeName = String(workflow.nodes.at(-1)?.name);
  const run = await service.run(
    withParameters(workflow, nodeName, parameters),
    [good, { ...good, ...bad }],
    options,
  );
  expect(service.wire()).toEqual([]);
  const { message, context } = nodeError(run, nodeName);
  expect(context).toMatchObject({ itemIndex: 1 });
  return message;
}

describe('post create refuses', () => {
  const good = { publishAt: '2035-01-15T09:30', account: 1, text: 'Hello', media: '' };

  test.each<[string, IDataObject, string]>([
    ['an empty time', { publishAt: '' }, 'Date and Time … [item 1]'],
    [
      'a day that does not exist',
      { publishAt: '2035-02-30T10:00' },
      'Date and Time … "2035-02-30T10:00" … [item 1]',
    ],
    ['a time in words', { publishAt: 'next Tuesday' }, 'Date and Time … "next Tuesday" … [item 1]'],
    [
      'a day and a month that may be either',
      { publishAt: '05/01/2035' },
      'Date and Time … "05/01/2035" … [item 1]',
    ],
    [
      'an account that is no text',
      { account: { id: 1 } },
      'Accounts → Account 1 … "{"id":1}" … [item 1]',
    ],
    ['an account with a fraction', { account: 1.5 }, 'Accounts → Account 1 … "1.5" … [item 1]'],
    ['a negative account', { account: -1 }, 'Accounts → Account 1 … "-1" … [item 1]'],
    ['neither content nor media', { text: ' \n', media: '  ' }, 'Text … [item 1]'],
    [
      'a relative media URL',
      { media: '/images/bread.jpg' },
      'Media URLs … "/images/bread.jpg" … [item 1]',
    ],
    [
      'a relative media URL among absolute ones',
      { media: ['https://example.com/a.jpg', 'bread.jpg'] },
      'Media URLs … "bread.jpg" … [item 1]',
    ],
    [
      'a media URL that is no address on the web',
      { media: 'file:///etc/passwd' },
      'Media URLs … "file:///etc/passwd" … [item 1]',
    ],
    [
      'media URLs that are not texts',
      { media: [{ url: 'https://example.com/a.jpg' }] },
      'Media URLs … [item 1]',
    ],
    ['an object as content', { text: { body: 'Hello' } }, 'Text … [item 1]'],
  ])('%s', async (_what, bad, message) => {
    expect(await refusal('post.create', {}, good, bad)).toMatch(like(message));
  });

  test.each<[string, unknown, string]>([
    ['no variant', [], 'Options → Variants (JSON) … [item 1]'],
    ['an empty JSON field', '', 'Options → Variants (JSON) … [item 1]'],
    ['malformed JSON', '[{ "socialAccountId": 1,', 'Options → Variants (JSON) … [item 1]'],
    [
      'variants that are not objects',
      ['Hello'],
      'Options → Variants (JSON) 1 … "Hello" … [item 1]',
    ],
    [
      'a variant without an account',
      [{ socialAccountId: 1, content: 'Hello' }, { content: 'Hello' }],
      'Options → Variants (JSON) 2 → socialAccountId … [item 1]',
    ],
    [
      'a variant with nothing to publish',
      [{ socialAccountId: 1, content: '', mediaUrls: [] }],
      'Options → Variants (JSON) 1 → content … [item 1]',
    ],
  ])('%s', async (_what, variants, message) => {
    const wellFormed = [{ socialAccountId: 1, content: 'Hello' }];

    expect(
      await refusal(
        'post.create.json',
        {},
        { workspace: 1, variants: wellFormed },
        { variants: variants as IDataObject },
      ),
    ).toMatch(like(message));
  });

  test.each<[string, string, string]>([
    ['malformed custom body fields', '{ "campaign": ', 'Options → Custom Body Fields … [item 1]'],
    ['custom body fields that are a list', '[1]', 'Options → Custom Body Fields … [item 1]'],
  ])('%s', async (_what, more, message) => {
    expect(
      await refusal(
        'post.create',
        { options: { customBodyFields: '={{ $json.more }}' } },
        { ...good, more: '{}' },
        { more },
      ),
    ).toMatch(like(message));
  });

  const override = (account: string, more: IDataObject = {}) => ({
    socialAccountId: { __rl: true, mode: 'id', value: account },
    content: 'Another text',
    ...more,
  });

  test.each<[string, INodeParameters, unknown, unknown, string]>([
    [
      'an entry for an account that is not selected',
      { overrides: { override: [override('2'), override('={{ $json.other }}')] } },
      1,
      9,
      'Different for Some Accounts → Account 2 → Social Account … 9 … [item 1]',
    ],
    [
      'two entries for one account',
      { overrides: { override: [override('2'), override('={{ $json.other }}')] } },
      1,
      2,
      'Different for Some Accounts → Account 2 → Social Account … 2 … [item 1]',
    ],
    [
      'a relative URL of an entry',
      { overrides: { override: [override('2', { mediaUrls: '={{ $json.other }}' })] } },
      'https://example.com/a.jpg',
      'a.jpg',
      'Different for Some Accounts → Account 1 → Media URLs … "a.jpg" … [item 1]',
    ],
    [
      'no account',
      { accounts: '={{ $json.other }}', overrides: {} },
      '1, 2',
      ' , ',
      'Accounts … [item 1]',
    ],
    [
      'a delay into the past',
      { publish: 'after', delayAmount: '={{ $json.other }}', delayUnit: 'hours' },
      1,
      -1,
      'Delay … -1 … [item 1]',
    ],
    [
      'a time zone that several are called',
      { timeZone: '={{ $json.other }}' },
      'UTC',
      'BST',
      'Time Zone … "BST" … [item 1]',
    ],
    [
      'a time zone that is a list',
      { timeZone: '={{ $json.other }}' },
      'UTC',
      ['America/New_York'],
      'Time Zone … "["America/New_York"]" … [item 1]',
    ],
    [
      'a time zone that is a number',
      { timeZone: '={{ $json.other }}' },
      'UTC',
      -5,
      'Time Zone … "-5" … [item 1]',
    ],
    [
      'an order of dates that is none',
      { options: { dateOrder: '={{ $json.other }}' } },
      'dayFirst',
      'yearFirst',
      'Options → Date Order … "yearFirst" … [item 1]',
    ],
    [
      'a file that is not there',
      { mediaFields: '={{ $json.other }}' },
      '',
      'photo',
      'Media Files … "photo" … [item 1]',
    ],
  ])('%s', async (_what, parameters, rightOne, wrongOne, message) => {
    const first = { ...good, other: rightOne as string };
    expect(await refusal('post.create', parameters, first, { other: wrongOne as string })).toMatch(
      like(message),
    );
  });
});

test.each([
  ['={{ $now.setZone("Asia/Tokyo").zone }}', '2035-01-15T00:30:00.000Z'],
  ['={{ "tokyo" }}', '2035-01-15T00:30:00.000Z'],
  ['={{ $now.zoneName }}', '2035-01-15T08:30:00.000Z'],
  ['', '2035-01-15T08:30:00.000Z'],
])('post create understands the time zone %s', async (timeZone, scheduledAt) => {
  addAccount(service.sandbox);
  await service.run(creating({ timeZone }), [{ publishAt: '2035-01-15T09:30', text: 'Hello' }]);

  expect(service.sandbox.store.posts).toMatchObject([{ scheduledAt }]);
});

describe('every operation refuses', () => {
  test.each<[INodeParameters, unknown, unknown, string]>([
    [{ concurrency: '={{ $json.own }}' }, 4, 5, 'Concurrency … "5" … "4" …'],
    [{ keepRequests: '={{ $json.own }}' }, 10, '', 'Keep Requests … "" … "10" …'],
    [{ includeQuota: '={{ $json.own }}' }, true, false, 'Include Quota … "false" … "true" …'],
  ])('%j where items differ', async (options, one, other, message) => {
    expect(
      await refusal(
        'account.getAll',
        { options },
        { own: one as string },
        { own: other as string },
      ),
    ).toMatch(like(`Options → ${message} [item 1]`));
  });

  test('a concurrency that is none', async () => {
    const run = await service.run(
      withParameters(readWorkflow('agent.getAll'), 'Get agents', {
        options: { concurrency: '={{ "x" }}' },
      }),
    );
    expect(nodeError(run, 'Get agents')).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringMatching(like('Options → Concurrency … "x" … [item 0]')) as string,
    });
  });

  test.each<[unknown, string]>([
    ['bakery', 'Options → Workspace ID … "bakery" … [item 1]'],
    [1.5, 'Options → Workspace ID … "1.5" … [item 1]'],
    ['-1', 'Options → Workspace ID … "-1" … [item 1]'],
    ['1e3', 'Options → Workspace ID … "1e3" … [item 1]'],
    ['12345678901234567890', 'Options → Workspace ID … "12345678901234567890" … [item 1]'],
    [[1], 'Options → Workspace ID … "[1]" … [item 1]'],
  ])('the workspace %p', async (workspace, message) => {
    for (const name of ['post.getAll', 'account.getAll', 'analytics.get', 'agent.getAll']) {
      expect(
        await refusal(
          name,
          {
            options: { workspaceId: '={{ $json.workspace }}' },
            ...(name === 'analytics.get' && { period: '7d' }),
          },
          { workspace: 1 },
          { workspace: workspace as IDataObject },
        ),
      ).toMatch(like(message));
    }
  });

  test('an empty workspace when the credential has none', async () => {
    expect(
      await refusal(
        'account.getAll',
        {},
        { workspace: 1 },
        { workspace: '' },
        { credentials: service.credentials({ workspaceId: '' }) },
      ),
    ).toMatch(like('Options → Workspace ID … [item 1]'));
  });
});

describe('post get many refuses', () => {
  test.each<[INodeParameters, IDataObject, IDataObject, string]>([
    [
      { returnAll: false, limit: '={{ $json.limit }}' },
      { limit: 10 },
      { limit: 0 },
      'Limit … 0 … [item 1]',
    ],
    [
      { returnAll: false, limit: '={{ $json.limit }}' },
      { limit: 10 },
      { limit: '' },
      'Limit … [item 1]',
    ],
    [
      { returnAll: false, limit: '={{ $json.limit }}' },
      { limit: 10 },
      { limit: 'many' },
      'Limit … "many" … [item 1]',
    ],
    [
      { options: { offset: '={{ $json.offset }}' } },
      { offset: 0 },
      { offset: -5 },
      'Options → Offset … "-5" … [item 1]',
    ],
    [
      { options: { pageSize: '={{ $json.size }}' } },
      { size: 10 },
      { size: 0 },
      'Options → Page Size … 0 … [item 1]',
    ],
    [
      { returnAll: '={{ $json.all }}' },
      { all: true },
      { all: 'perhaps' },
      'Return All … "perhaps" … [item 1]',
    ],
  ])('%j', async (parameters, good, bad, message) => {
    expect(await refusal('post.getAll', parameters, good, bad)).toMatch(like(message));
  });
});

describe('analytics get refuses', () => {
  test('a period that is not a number of days', async () => {
    expect(await refusal('analytics.get', {}, { period: '7d' }, { period: '2 weeks' })).toMatch(
      like('Period … "2 weeks" … [item 1]'),
    );
  });

  test.each<[unknown, string]>([
    [0, 'Days … 0 … [item 1]'],
    [2.5, 'Days … "2.5" … [item 1]'],
    ['', 'Days … [item 1]'],
  ])('%p days', async (days, message) => {
    expect(
      await refusal(
        'analytics.get',
        { period: 'custom', customDays: '={{ $json.days }}' },
        { days: 14 },
        { days: days as string },
      ),
    ).toMatch(like(message));
  });
});

describe('agent create or update refuses', () => {
  test('an agent to update that is not chosen', async () => {
    expect(await refusal('agent.update', {}, { agent: 1 }, { agent: '' })).toMatch(
      like('Agent … [item 1]'),
    );
  });

  test.each([null, ''])('an activity to update that an expression gives as %j', async (active) => {
    expect(
      await refusal(
        'agent.update',
        { updateFields: { isActive: '={{ $json.active }}' } },
        { agent: 1, active: false },
        { agent: 1, active },
      ),
    ).toMatch(like('Fields to Update → Active … [item 1]'));
  });

  test('a type to update that an expression leaves empty', async () => {
    expect(
      await refusal(
        'agent.update',
        { updateFields: { name: 'Morning Ideas', type: '={{ $json.type }}' } },
        { agent: 1, type: 'seo' },
        { agent: 1, type: '' },
      ),
    ).toMatch(like('Fields to Update → Type … [item 1]'));
  });

  const good = { name: 'Morning Ideas', schedule: '0 6 * * 1-5', active: true };

  test.each<[string, IDataObject, string]>([
    [
      'a cron expression with four fields',
      { schedule: '0 6 * *' },
      'Cron Expression … 4 … [item 1]',
    ],
    [
      'a cron expression with seconds',
      { schedule: '0 0 6 * * 1-5' },
      'Cron Expression … 6 … [item 1]',
    ],
    [
      'a cron expression with a field of words',
      { schedule: '0 6 * * Mon&Tue' },
      'Cron Expression … "Mon&Tue" … [item 1]',
    ],
    [
      'an activity that is neither on nor off',
      { active: 'perhaps' },
      'Active … "perhaps" … [item 1]',
    ],
    ['an activity that an expression leaves empty', { ...good, active: null }, 'Active … [item 1]'],
  ])('%s', async (_what, bad, message) => {
    expect(await refusal('agent.create', {}, good, bad)).toMatch(like(message));
  });

  test('an agent by its name', async () => {
    expect(await refusal('agent.update', {}, { agent: 1 }, { agent: 'Morning Ideas' })).toMatch(
      like('Agent … "Morning Ideas" … [item 1]'),
    );
  });

  test('a malformed configuration', async () => {
    expect(
      await refusal(
        'agent.update',
        { options: { configJson: '={{ $json.config }}' } },
        { agent: 1, config: '{}' },
        { config: "{ tone: 'warm' }" },
      ),
    ).toMatch(like('Options → Config (JSON) … [item 1]'));
  });
});

describe('a credential is refused', () => {
  test.each<[string, IDataObject, string]>([
    ['an empty base URL', { baseUrl: ' ' }, 'Base URL (…credential) … [item 0]'],
    [
      'a base URL that is none',
      { baseUrl: 'social.example.com' },
      'Base URL (…credential) … [item 0]',
    ],
    [
      'a base URL of another protocol',
      { baseUrl: 'ftp://social.example.com/api/v1' },
      'Base URL (…credential) … [item 0]',
    ],
    ['an empty key', { apiKey: '  ' }, 'API Key (…credential) … [item 0]'],
    [
      'a workspace that is no number',
      { workspaceId: 'bakery' },
      'Workspace ID (…credential) … [item 0]',
    ],
  ])('for %s', async (_what, wrong, message) => {
    const run = await runWorkflow(readWorkflow('agent.getAll'), {
      credentials: service.credentials(wrong as never),
    });

    expect(nodeError(run, 'Get agents').message).toMatch(like(message));
    expect(service.wire()).toEqual([]);
  });

  test('for a key with a line break, without quoting the key', async () => {
    const run = await runWorkflow(readWorkflow('agent.getAll'), {
      credentials: service.credentials({ apiKey: 'spk_live\n_secret' }),
    });

    expect(nodeError(run, 'Get agents').message).toMatch(/^API Key \(.*credential\) /);
    expect(JSON.stringify(run)).not.toMatch(/spk_live|_secret/);
  });
});

describe('an expression that fails', () => {
  test.each<[string, INodeParameters, RegExp]>([
    [
      'that names a node that is not there',
      { content: "={{ $('Nobody').item.json.text }}" },
      /^Text .+doesn't exist/,
    ],
    [
      'with a mistake in it, in a field of a collection',
      { options: { status: '={{ $json.( }}' } },
      /^Options → Status .*: invalid syntax/,
    ],
    [
      'in an entry of a list',
      {
        overrides: {
          override: [
            {
              socialAccountId: { __rl: true, mode: 'id', value: '2' },
              content: "={{ $('Nobody').item.json.text }}",
            },
          ],
        },
      },
      /^Different for Some Accounts → Account 1 → Text .*doesn't exist/,
    ],
  ])('%s is told with its field, in plain text', async (_, parameters, message) => {
    const name = 'Create post';
    const workflow = withParameters(readWorkflow('post.create'), name, {
      content: 'Hello',
      mediaUrls: '',
      accounts: [1, 2],
      scheduledAt: '2035-01-01T09:00',
      ...parameters,
    });
    const run = await service.run(workflow);
    const error = nodeError(run, name);

    expect(error.message).toMatch(message);
    expect(`${error.message} ${error.description}`).not.toMatch(/<|&lt;/);
    expect(error.context).toMatchObject({ code: 'failingExpression', certainty: 'notSent' });
    expect(service.wire()).toEqual([]);
  });
});
