import type { IDataObject } from 'n8n-workflow';

import { compared } from '../../../nodes/SocialPublishing/run/answers';
import { failed, succeeded } from '../../../nodes/SocialPublishing/service/outcome';

const now = Date.UTC(2026, 10, 21, 10);

const post = { workspaceId: 1, status: 'scheduled', scheduledAt: '2027-01-01T09:00:00.000Z' };
const agent = { workspaceId: 1, name: 'Morning Ideas', isActive: false, schedule: '0 9 * * 1-5' };
const update = { workspaceId: 1, id: 5, name: 'Evening Ideas', isActive: false };

/** How many warnings an answer gets; the code of the failure when it is another record. */
function verdict(body: IDataObject, came: IDataObject, known: Array<[unknown, number]> = []) {
  const record = { id: 5, ...body, ...came };
  const asked = { noun: 'post', body, item: 3 };
  const outcome = compared(asked, succeeded(record, {}), new Map(known), now);
  if (outcome.ok) expect(outcome.value).toBe(record);
  else expect(outcome.failure.certainty).toBe('uncertain');
  return outcome.ok ? (outcome.warnings ?? []).length : outcome.failure.code;
}

test.each<[string, IDataObject, IDataObject, number | string]>([
  ['the same post', post, {}, 0],
  ['a workspace as text', post, { workspaceId: '1' }, 0],
  ['a time without milliseconds', post, { scheduledAt: '2027-01-01T09:00:00Z' }, 0],
  ['a time in another zone', post, { scheduledAt: '2027-01-01T10:00:00+01:00' }, 0],
  ['no time', post, { scheduledAt: undefined }, 0],
  ['a status in capitals', post, { status: 'Scheduled' }, 0],
  ['another status', post, { status: 'queued' }, 1],
  ['a rounded time', post, { scheduledAt: '2027-01-01T09:01:00.000Z' }, 1],
  ['a time that cannot be read', post, { scheduledAt: null }, 1],
  ['a later time', post, { scheduledAt: '2027-01-01T09:01:00.001Z' }, 'otherRecord'],
  ['an earlier time', post, { scheduledAt: '2027-01-01T08:58:59.999Z' }, 'otherRecord'],
  ['another workspace', post, { workspaceId: 2 }, 'otherRecord'],
  ['the same agent', agent, {}, 0],
  ['a name with other spaces', agent, { name: ' Morning  ideas' }, 0],
  ['an agent that is active', agent, { isActive: true }, 1],
  [
    'an agent with another schedule and type',
    { ...agent, type: 'seo' },
    { schedule: '0 9 * * *', type: 'x' },
    2,
  ],
  ['an agent of another name', agent, { name: 'Night' }, 'otherRecord'],
  ['a changed agent', update, {}, 0],
  ['a changed agent that kept its name', update, { name: 'Morning Ideas' }, 1],
  ['another agent', update, { id: 6 }, 'otherRecord'],
])('%s', (_, body, came, expected) => {
  expect(verdict(body, came)).toBe(expected);
});

test('a time that has passed may become the present one, and no later', () => {
  const past = { ...post, scheduledAt: '2026-11-20T10:00:00.000Z' };

  expect(verdict(past, { scheduledAt: '2026-11-21T10:00:30.000Z' })).toBe(1);
  expect(verdict(past, { scheduledAt: '2026-11-21T10:02:00.000Z' })).toBe('otherRecord');
});

test('an ID belongs to one item that creates, and to many that change', () => {
  expect(verdict(post, {}, [[5, 2]])).toBe('otherRecord');
  expect(verdict(post, {}, [[5, 3]])).toBe(0);
  expect(verdict(update, {}, [[5, 2]])).toBe(0);
});

test('a failure stays what it is', () => {
  const failure = failed({ code: 'a', message: '', description: '', certainty: 'refused' });

  expect(compared({ noun: 'post', body: post, item: 0 }, failure, new Map(), now)).toBe(failure);
});
