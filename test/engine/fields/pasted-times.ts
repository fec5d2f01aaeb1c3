import { DateTime, Settings } from 'luxon';

import { creating, nodeError, useBakery } from '../harness';

const service = useBakery();

/** A Sunday, 19:51 in New York. */
const now = DateTime.fromISO('2034-11-19T19:51:12', { zone: 'America/New_York' }).toMillis();

/** Runs the workflow, whose zone is Europe/Berlin, with a date for New York. */
const post = (scheduledAt: string, when: string) =>
  service.run(creating({ scheduledAt, timeZone: 'America/New_York', content: 'Hello' }), [
    { when },
  ]);

describe('the expression that an error says to paste gives what the error says: tomorrow at 9:00', () => {
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
    ['soon', '2034-11-20T14:00:00.000Z'],
  ])('%s', async (when, utc) => {
    const refused = await post('={{ $json.when }}', when);
    const { context, description } = nodeError(refused, 'Create post');
    expect(context.field).toBe('scheduledAt');
    expect(context.code).toBe('unreadableTime');
    const [pasted = ''] = /\{\{.+\}\}/.exec(description ?? '') ?? [];

    await post(`=${pasted}`, when);
    expect(service.sandbox.store.posts.map(({ scheduledAt }) => scheduledAt)).toEqual([utc]);
  });
});
