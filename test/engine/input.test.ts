import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { addAccount } from '../support/accounts';
import type { RunOptions } from './harness';
import { nodeError, readWorkflow, runWorkflow, useSandbox, withParameters } from './harness';

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
  const run = await runWorkflow(withParameters(workflow, nodeName, parameters), {
    credentials: service.credentials(),
    input: [good, { ...good, ...bad }],
    ...options,
  });
  expect(service.wire()).toEqual([]);
  const { message, context } = nodeError(run, nodeName);
  expect(context).toMatchObject({ itemIndex: 1 });
  return message;
}

describe('post create refuses', () => {
  const good = { publishAt: '2035-01-15T09:30', account: 1, text: 'Hello', media: '' };

  test.each<[string, IDataObject, string]>([
    ['an empty time', { publishAt: '' }, 'Date and Time is empty [item 1]'],
    [
      'a day that does not exist',
      { publishAt: '2035-02-30T10:00' },
      'Date and Time is "2035-02-30T10:00", which cannot be read as a date and time [item 1]',
    ],
    [
      'a time in words',
      { publishAt: 'next Tuesday' },
      'Date and Time is "next Tuesday", which cannot be read as a date and time [item 1]',
    ],
    [
      'a day and a month that may be either',
      { publishAt: '05/01/2035' },
      'Date and Time is "05/01/2035", which may be 5 January 2035 or 1 May 2035 [item 1]',
    ],
    [
      'an account that is no text',
      { account: { id: 1 } },
      'Accounts → Account 1 is "{"id":1}", which is not an account [item 1]',
    ],
    [
      'an account with a fraction',
      { account: 1.5 },
      'Accounts → Account 1 is "1.5", which is not an account [item 1]',
    ],
    [
      'a negative account',
      { account: -1 },
      'Accounts → Account 1 is "-1", which is not an account [item 1]',
    ],
    [
      'neither content nor media',
      { text: ' \n', media: '  ' },
      'Text is empty, and there is no media [item 1]',
    ],
    [
      'a relative media URL',
      { media: '/images/bread.jpg' },
      'Media URLs contains "/images/bread.jpg", which is not an absolute URL [item 1]',
    ],
    [
      'a relative media URL among absolute ones',
      { media: ['https://example.com/a.jpg', 'bread.jpg'] },
      'Media URLs contains "bread.jpg", which is not an absolute URL [item 1]',
    ],
    [
      'a media URL that is no address on the web',
      { media: 'file:///etc/passwd' },
      'Media URLs contains "file:///etc/passwd", which is not an absolute URL [item 1]',
    ],
    [
      'media URLs that are not texts',
      { media: [{ url: 'https://example.com/a.jpg' }] },
      'Media URLs is not a list of texts [item 1]',
    ],
    ['an object as content', { text: { body: 'Hello' } }, 'Text is not text [item 1]'],
  ])('%s', async (_what, bad, message) => {
    expect(await refusal('post.create', {}, good, bad)).toBe(message);
  });

  test.each<[string, unknown, string]>([
    ['no variant', [], 'Options → Variants (JSON) has no variant [item 1]'],
    ['an empty JSON field', '', 'Options → Variants (JSON) has no variant [item 1]'],
    [
      'malformed JSON',
      '[{ "socialAccountId": 1,',
      'Options → Variants (JSON) is not valid JSON [item 1]',
    ],
    [
      'variants that are not objects',
      ['Hello'],
      'Options → Variants (JSON) 1 is "Hello" instead of an object [item 1]',
    ],
    [
      'a variant without an account',
      [{ socialAccountId: 1, content: 'Hello' }, { content: 'Hello' }],
      'Options → Variants (JSON) 2 → socialAccountId is empty [item 1]',
    ],
    [
      'a variant with nothing to publish',
      [{ socialAccountId: 1, content: '', mediaUrls: [] }],
      'Options → Variants (JSON) 1 → content is empty, and so is mediaUrls [item 1]',
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
    ).toBe(message);
  });

  test.each<[string, string, string]>([
    [
      'malformed custom body fields',
      '{ "campaign": ',
      'Options → Custom Body Fields is not valid JSON [item 1]',
    ],
    [
      'custom body fields that are a list',
      '[1]',
      'Options → Custom Body Fields is not a JSON object [item 1]',
    ],
  ])('%s', async (_what, more, message) => {
    expect(
      await refusal(
        'post.create',
        { options: { customBodyFields: '={{ $json.more }}' } },
        { ...good, more: '{}' },
        { more },
      ),
    ).toBe(message);
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
      'Different for Some Accounts → Account 2 → Social Account is 9, which is not selected in Accounts [item 1]',
    ],
    [
      'two entries for one account',
      { overrides: { override: [override('2'), override('={{ $json.other }}')] } },
      1,
      2,
      'Different for Some Accounts → Account 2 → Social Account is 2, which has an entry already [item 1]',
    ],
    [
      'a relative URL of an entry',
      { overrides: { override: [override('2', { mediaUrls: '={{ $json.other }}' })] } },
      'https://example.com/a.jpg',
      'a.jpg',
      'Different for Some Accounts → Account 1 → Media URLs contains "a.jpg", which is not an absolute URL [item 1]',
    ],
    [
      'no account',
      { accounts: '={{ $json.other }}', overrides: {} },
      '1, 2',
      ' , ',
      'Accounts is empty [item 1]',
    ],
    [
      'a delay into the past',
      { publish: 'after', delayAmount: '={{ $json.other }}', delayUnit: 'hours' },
      1,
      -1,
      'Delay is -1, which is in the past [item 1]',
    ],
    [
      'a time zone that several are called',
      { timeZone: '={{ $json.other }}' },
      'UTC',
      'BST',
      'Time Zone is "BST", which is the name of several time zones [item 1]',
    ],
    [
      'a time zone that is a list',
      { timeZone: '={{ $json.other }}' },
      'UTC',
      ['America/New_York'],
      'Time Zone is "["America/New_York"]", which is not the name of a time zone [item 1]',
    ],
    [
      'a time zone that is a number',
      { timeZone: '={{ $json.other }}' },
      'UTC',
      -5,
      'Time Zone is "-5", which is not the name of a time zone [item 1]',
    ],
    [
      'an order of dates that is none',
      { options: { dateOrder: '={{ $json.other }}' } },
      'dayFirst',
      'yearFirst',
      'Options → Date Order is "yearFirst" [item 1]',
    ],
    [
      'a file that is not there',
      { mediaFields: '={{ $json.other }}' },
      '',
      'photo',
      'Media Files holds "photo", and the input item has no such file [item 1]',
    ],
  ])('%s', async (_what, parameters, rightOne, wrongOne, message) => {
    const first = { ...good, other: rightOne as string };
    expect(await refusal('post.create', parameters, first, { other: wrongOne as string })).toBe(
      message,
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
  await runWorkflow(
    withParameters(readWorkflow('post.create'), 'Create post', {
      timeZone,
      accounts: [1],
      overrides: {},
      mediaUrls: '',
    }),
    {
      credentials: service.credentials(),
      input: [{ publishAt: '2035-01-15T09:30', text: 'Hello' }],
    },
  );

  expect(service.sandbox.store.posts).toMatchObject([{ scheduledAt }]);
});

describe('every operation refuses', () => {
  test.each<[INodeParameters, unknown, unknown, string]>([
    [
      { concurrency: '={{ $json.own }}' },
      4,
      5,
      'Concurrency is "5" here and "4" for an item before',
    ],
    [
      { keepRequests: '={{ $json.own }}' },
      10,
      '',
      'Keep Requests is "" here and "10" for an item before',
    ],
    [
      { includeQuota: '={{ $json.own }}' },
      true,
      false,
      'Include Quota is "false" here and "true" for an item before',
    ],
  ])('%j where items differ', async (options, one, other, message) => {
    expect(
      await refusal(
        'account.getAll',
        { options },
        { own: one as string },
        { own: other as string },
      ),
    ).toBe(`Options → ${message} [item 1]`);
  });

  test('a concurrency that is none', async () => {
    const run = await runWorkflow(
      withParameters(readWorkflow('agent.getAll'), 'Get agents', {
        options: { concurrency: '={{ "x" }}' },
      }),
      { credentials: service.credentials() },
    );
    expect(nodeError(run, 'Get agents')).toMatchObject({
      name: 'NodeOperationError',
      message: 'Options → Concurrency is "x", which is not a whole number [item 0]',
    });
  });

  test.each<[unknown, string]>([
    ['bakery', 'Options → Workspace ID is "bakery", which is not a whole number [item 1]'],
    [1.5, 'Options → Workspace ID is "1.5", which is not a whole number [item 1]'],
    ['-1', 'Options → Workspace ID is "-1", which is not a whole number [item 1]'],
    ['1e3', 'Options → Workspace ID is "1e3", which is not a whole number [item 1]'],
    [
      '12345678901234567890',
      'Options → Workspace ID is "12345678901234567890", which is not a whole number [item 1]',
    ],
    [[1], 'Options → Workspace ID is "[1]", which is not a whole number [item 1]'],
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
      ).toBe(message);
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
    ).toBe('Options → Workspace ID is empty, and so is the one in the credential [item 1]');
  });
});

describe('post get many refuses', () => {
  test.each<[INodeParameters, IDataObject, IDataObject, string]>([
    [
      { returnAll: false, limit: '={{ $json.limit }}' },
      { limit: 10 },
      { limit: 0 },
      'Limit is 0, which is too small [item 1]',
    ],
    [
      { returnAll: false, limit: '={{ $json.limit }}' },
      { limit: 10 },
      { limit: '' },
      'Limit is empty [item 1]',
    ],
    [
      { returnAll: false, limit: '={{ $json.limit }}' },
      { limit: 10 },
      { limit: 'many' },
      'Limit is "many", which is not a whole number [item 1]',
    ],
    [
      { options: { offset: '={{ $json.offset }}' } },
      { offset: 0 },
      { offset: -5 },
      'Options → Offset is "-5", which is not a whole number [item 1]',
    ],
    [
      { options: { pageSize: '={{ $json.size }}' } },
      { size: 10 },
      { size: 0 },
      'Options → Page Size is 0, which is too small [item 1]',
    ],
    [
      { returnAll: '={{ $json.all }}' },
      { all: true },
      { all: 'perhaps' },
      'Return All is "perhaps", which is neither true nor false [item 1]',
    ],
  ])('%j', async (parameters, good, bad, message) => {
    expect(await refusal('post.getAll', parameters, good, bad)).toBe(message);
  });
});

describe('analytics get refuses', () => {
  test('a period that is not a number of days', async () => {
    expect(await refusal('analytics.get', {}, { period: '7d' }, { period: '2 weeks' })).toBe(
      'Period is "2 weeks", which is not a number of days [item 1]',
    );
  });

  test.each<[unknown, string]>([
    [0, 'Days is 0, which is too small [item 1]'],
    [2.5, 'Days is "2.5", which is not a whole number [item 1]'],
    ['', 'Days is empty [item 1]'],
  ])('%p days', async (days, message) => {
    expect(
      await refusal(
        'analytics.get',
        { period: 'custom', customDays: '={{ $json.days }}' },
        { days: 14 },
        { days: days as string },
      ),
    ).toBe(message);
  });
});

describe('agent create or update refuses', () => {
  test('an agent to update that is not chosen', async () => {
    expect(await refusal('agent.update', {}, { agent: 1 }, { agent: '' })).toBe(
      'Agent is empty [item 1]',
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
    ).toBe('Fields to Update → Active is empty [item 1]');
  });

  test('a type to update that an expression leaves empty', async () => {
    expect(
      await refusal(
        'agent.update',
        { updateFields: { name: 'Morning Ideas', type: '={{ $json.type }}' } },
        { agent: 1, type: 'seo' },
        { agent: 1, type: '' },
      ),
    ).toBe('Fields to Update → Type is empty [item 1]');
  });

  const good = { name: 'Morning Ideas', schedule: '0 6 * * 1-5', active: true };

  test.each<[string, IDataObject, string]>([
    [
      'a cron expression with four fields',
      { schedule: '0 6 * *' },
      'Cron Expression has 4 fields instead of five [item 1]',
    ],
    [
      'a cron expression with seconds',
      { schedule: '0 0 6 * * 1-5' },
      'Cron Expression has 6 fields instead of five [item 1]',
    ],
    [
      'a cron expression with a field of words',
      { schedule: '0 6 * * Mon&Tue' },
      'Cron Expression holds "Mon&Tue", which is not a field of a cron expression [item 1]',
    ],
    [
      'an activity that is neither on nor off',
      { active: 'perhaps' },
      'Active is "perhaps", which is neither true nor false [item 1]',
    ],
    [
      'an activity that an expression leaves empty',
      { ...good, active: null },
      'Active is empty [item 1]',
    ],
  ])('%s', async (_what, bad, message) => {
    expect(await refusal('agent.create', {}, good, bad)).toBe(message);
  });

  test('an agent by its name', async () => {
    expect(await refusal('agent.update', {}, { agent: 1 }, { agent: 'Morning Ideas' })).toBe(
      'Agent is "Morning Ideas", which is not a whole number [item 1]',
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
    ).toBe('Options → Config (JSON) is not valid JSON [item 1]');
  });
});

describe('a credential is refused', () => {
  test.each<[string, IDataObject, string]>([
    ['an empty base URL', { baseUrl: ' ' }, 'Base URL (in the credential) is empty [item 0]'],
    [
      'a base URL that is none',
      { baseUrl: 'social.example.com' },
      'Base URL (in the credential) is not a whole address [item 0]',
    ],
    [
      'a base URL of another protocol',
      { baseUrl: 'ftp://social.example.com/api/v1' },
      'Base URL (in the credential) is not an http or https address [item 0]',
    ],
    ['an empty key', { apiKey: '  ' }, 'API Key (in the credential) is empty [item 0]'],
    [
      'a workspace that is no number',
      { workspaceId: 'bakery' },
      'Workspace ID (in the credential) is not a workspace number [item 0]',
    ],
  ])('for %s', async (_what, wrong, message) => {
    const run = await runWorkflow(readWorkflow('agent.getAll'), {
      credentials: service.credentials(wrong as never),
    });

    expect(nodeError(run, 'Get agents').message).toBe(message);
    expect(service.wire()).toEqual([]);
  });

  test('for a key with a line break, without quoting the key', async () => {
    const run = await runWorkflow(readWorkflow('agent.getAll'), {
      credentials: service.credentials({ apiKey: 'spk_live\n_secret' }),
    });

    expect(nodeError(run, 'Get agents').message).toMatch(/^API Key \(in the credential\) /);
    expect(JSON.stringify(run)).not.toMatch(/spk_live|_secret/);
  });
});
