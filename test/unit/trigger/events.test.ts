import { assertFresh, eventKinds, readEvent } from '../../../nodes/SocialPublishingTrigger/events';
import { RefusedDelivery } from '../../../nodes/SocialPublishingTrigger/refusal';

const timestamp = '2026-11-21T09:30:00.000Z';

/** What `act` throws, which must be a refusal. */
function refusalOf(act: () => unknown): { status: number; code: string } {
  let thrown: unknown;
  try {
    act();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(RefusedDelivery);
  const { status, explanation } = thrown as RefusedDelivery;
  return { status, code: explanation.code };
}

test('offers the documented kinds', () => {
  expect(Object.fromEntries(eventKinds.map(({ value, output }) => [value, output]))).toEqual({
    'post.published': 'Published',
    'post.failed': 'Failed',
    'agent.action': 'Agent Action',
    'agent.error': 'Agent Error',
    'inbox.new': 'Inbox',
    'account.disconnected': 'Disconnected',
  });
});

test('gives outputs names that the canvas does not clip', () => {
  expect(eventKinds.filter(({ output }) => output.length > 12)).toEqual([]);
});

describe('readEvent', () => {
  test.each([
    [
      'a kind that the interface does not know',
      `{"event":"post.liked","data":{},"timestamp":"${timestamp}"}`,
      { event: 'post.liked', data: {}, timestamp },
    ],
    [
      'a key twice, of which the last one counts',
      `{"event":"post.failed","event":"post.published","data":{},"timestamp":"${timestamp}"}`,
      { event: 'post.published', data: {}, timestamp },
    ],
    [
      'a time without milliseconds',
      '{"event":"inbox.new","data":{},"timestamp":"2026-11-21T09:30:00Z"}',
      { event: 'inbox.new', data: {}, timestamp: '2026-11-21T09:30:00Z' },
    ],
  ])('reads %s', (_, text, expected) => {
    expect(readEvent(Buffer.from(text))).toEqual(expected);
  });

  test('gives a "__proto__" in the payload no power', () => {
    const event = readEvent(
      Buffer.from(
        `{"__proto__":{"polluted":1},"event":"inbox.new","data":{"__proto__":{"polluted":1}},"timestamp":"${timestamp}"}`,
      ),
    );

    expect((event as unknown as { polluted?: number }).polluted).toBeUndefined();
    expect(event.data['polluted']).toBeUndefined();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each([
    ['nothing', '', 'notAnObject'],
    ['truncated JSON', '{"event":"inbox.new"', 'notAnObject'],
    ['JSON and more', '{}{}', 'notAnObject'],
    ['a null', 'null', 'notAnObject'],
    ['a string', '"inbox.new"', 'notAnObject'],
    ['two byte order marks', '\ufeff\ufeff{}', 'notAnObject'],
    ['no event', `{"data":{},"timestamp":"${timestamp}"}`, 'noEvent'],
    ['an empty event', `{"event":"","data":{},"timestamp":"${timestamp}"}`, 'noEvent'],
    ['an event that is no string', `{"event":1,"data":{},"timestamp":"${timestamp}"}`, 'noEvent'],
    ['no data', `{"event":"inbox.new","timestamp":"${timestamp}"}`, 'noData'],
    [
      'a time in a list',
      `{"event":"inbox.new","data":{},"timestamp":["${timestamp}"]}`,
      'noTimestamp',
    ],
    ['null as data', `{"event":"inbox.new","data":null,"timestamp":"${timestamp}"}`, 'noData'],
    ['a list as data', `{"event":"inbox.new","data":[],"timestamp":"${timestamp}"}`, 'noData'],
    ['no timestamp', '{"event":"inbox.new","data":{}}', 'noTimestamp'],
    [
      'a number as timestamp',
      '{"event":"inbox.new","data":{},"timestamp":1795253400}',
      'noTimestamp',
    ],
    ['words as timestamp', '{"event":"inbox.new","data":{},"timestamp":"today"}', 'noTimestamp'],
    ['a date', '{"event":"inbox.new","data":{},"timestamp":"2026-11-21"}', 'noTimestamp'],
    [
      'a local time',
      '{"event":"inbox.new","data":{},"timestamp":"2026-11-21T09:30:00.000"}',
      'noTimestamp',
    ],
    [
      'no such month',
      '{"event":"inbox.new","data":{},"timestamp":"2026-13-21T09:30:00.000Z"}',
      'noTimestamp',
    ],
    [
      'no such hour',
      '{"event":"inbox.new","data":{},"timestamp":"2026-11-21T29:30:00.000Z"}',
      'noTimestamp',
    ],
  ])('refuses %s with 400', (_, text, code) => {
    expect(refusalOf(() => readEvent(Buffer.from(text)))).toEqual({ status: 400, code });
  });
});

describe('assertFresh', () => {
  const event = { event: 'inbox.new', data: {}, timestamp };
  const sent = Date.UTC(2026, 10, 21, 9, 30);
  const minute = 60_000;

  test.each([
    ['at once', 5, sent],
    ['at the limit', 5, sent + 5 * minute],
    ['as early as the limit allows', 5, sent - 5 * minute],
    ['years later without a limit', 0, Date.UTC(2036, 0, 1)],
    ['within half a minute', 0.5, sent + 29_999],
  ])('accepts an event %s', (_, maxAgeMinutes, now) => {
    expect(() => assertFresh(event, maxAgeMinutes, now)).not.toThrow();
  });

  test.each([
    ['too old', 5, sent + 5 * minute + 1, 'tooOld'],
    ['too far in the future', 5, sent - 5 * minute - 1, 'tooEarly'],
  ])('refuses an event that is %s with 400', (_, maxAgeMinutes, now, code) => {
    expect(refusalOf(() => assertFresh(event, maxAgeMinutes, now))).toEqual({ status: 400, code });
  });

  test('accepts no event when the limit is not a number', () => {
    expect(() => assertFresh(event, Number.NaN, sent)).toThrow('Maximum Age (Minutes)');
  });
});
