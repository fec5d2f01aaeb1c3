import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';

import { timeHints } from '../../../nodes/SocialPublishing/operations/post/timeHints';

const NOW = DateTime.fromISO('2030-06-01T12:00:00', { zone: 'Europe/Berlin' });

const POST = { resource: 'post', operation: 'create', publish: 'at', timeZone: '' };

/** Which of the hints show, evaluated as the editor does it: with nothing but what expressions know. */
function shown($parameter: Record<string, unknown>): string[] {
  const names = ['passed', 'skipped', 'twice'];
  return names.filter((_, index) => {
    const [, source] = /^=\{\{(.*)\}\}$/s.exec(timeHints[index]!.displayCondition!)!;
    return runInNewContext(source!, { $parameter, $now: NOW, DateTime }) as boolean;
  });
}

test.each<[scheduledAt: unknown, hints: string[]]>([
  ['2030-06-01T11:54:59', ['passed']],
  ['2030-06-01T11:55:00', []],
  ['2030-06-01 13:00:00', []],
  ['2031-03-30T02:30:00', ['skipped']],
  ['2031-03-30T01:30:00', []],
  ['2030-10-27T02:30:00', ['twice']],
  ['2030-10-27T02:30:00+01:00', []],
  ['', []],
  ['soon', []],
  [undefined, []],
])('for %j, the hints are %j', (scheduledAt, hints) => {
  expect(shown({ ...POST, scheduledAt })).toEqual(hints);
});

test('the zone of the node counts', () => {
  const scheduledAt = '2031-03-09T02:30:00';

  expect(shown({ ...POST, scheduledAt, timeZone: 'America/New_York' })).toEqual(['skipped']);
  expect(shown({ ...POST, scheduledAt })).toEqual([]);
});

test('a time that has passed is fine where it may be published at once', () => {
  const scheduledAt = '2020-06-01T20:00:00';

  expect(shown({ ...POST, scheduledAt, options: { ifPast: 'publish' } })).toEqual([]);
  expect(shown({ ...POST, scheduledAt, options: {} })).toEqual(['passed']);
});

test.each([
  { ...POST, publish: 'now' },
  { ...POST, operation: 'getAll' },
  { ...POST, resource: 'agent' },
])('there is no hint for %j', (parameters) => {
  expect(shown({ ...parameters, scheduledAt: '2020-06-01T20:00:00' })).toEqual([]);
});
