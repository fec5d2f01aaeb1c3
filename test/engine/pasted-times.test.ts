import { DateTime, Settings } from 'luxon';

import { addAccount } from '../support/accounts';
import { nodeError, readWorkflow, runWorkflow, useSandbox, withParameters } from './harness';

const service = useSandbox();

beforeEach(() => addAccount(service.sandbox));

/** A Sunday, 19:51 in New York. */
const now = DateTime.fromISO('2034-11-19T19:51:12', { zone: 'America/New_York' }).toMillis();

/** Runs the workflow, whose zone is Europe/Berlin, with a date for New York. */
const post = (scheduledAt: string, when: string) =>
  runWorkflow(
    withParameters(readWorkflow('post.create'), 'Create post', {
      scheduledAt,
      timeZone: 'America/New_York',
      accounts: [1],
      content: 'Hello',
      mediaUrls: '',
      overrides: {},
    }),
    { credentials: service.credentials(), input: [{ when }] },
  );

describe('the expression that an error says to paste gives what its words say', () => {
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(now);
    Settings.now = () => now;
  });

  afterEach(() => {
    jest.restoreAllMocks();
    Settings.now = () => Date.now();
  });

  test.each<[words: string, utc: string]>([
    ['tomorrow 9am', '2034-11-20T14:00:00.000Z'],
    ['tomorrow', '2034-11-20T14:00:00.000Z'],
    ['day after tomorrow at 8:30', '2034-11-21T13:30:00.000Z'],
    ['today 11pm', '2034-11-20T04:00:00.000Z'],
    ['23:30', '2034-11-20T04:30:00.000Z'],
    ['in 2 hours', '2034-11-20T02:51:00.000Z'],
    ['in 3 days', '2034-11-22T14:00:00.000Z'],
    ['next Sunday 9:00', '2034-11-26T14:00:00.000Z'],
    ['monday 9:00', '2034-11-20T14:00:00.000Z'],
    ['Saturday', '2034-11-25T14:00:00.000Z'],
    ['soon', '2034-11-20T14:00:00.000Z'],
    ['5. Dezember 2035 um 9:00 Uhr', '2035-12-05T14:00:00.000Z'],
    ['5 décembre 2035', '2035-12-05T05:00:00.000Z'],
    ['5 de diciembre de 2035 09:00', '2035-12-05T14:00:00.000Z'],
    ['5 grudnia 2035 9:00', '2035-12-05T14:00:00.000Z'],
    ['5 dicembre 2035 9:00', '2035-12-05T14:00:00.000Z'],
    ['5 de dezembro de 2035 09:00', '2035-12-05T14:00:00.000Z'],
  ])('%s', async (when, utc) => {
    const refused = await post('={{ $json.when }}', when);
    const { context, description } = nodeError(refused, 'Create post');
    expect(context.field).toBe('scheduledAt');
    expect(['unreadableTime', 'noDate']).toContain(context.code);
    const [pasted = ''] = /\{\{.+\}\}/.exec(description ?? '') ?? [];

    await post(`=${pasted}`, when);
    expect(service.sandbox.store.posts.map(({ scheduledAt }) => scheduledAt)).toEqual([utc]);
  });
});
