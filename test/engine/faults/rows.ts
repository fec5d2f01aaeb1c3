import type { Fault, FaultRule } from '../../../sandbox';
import type { Cell, Column, Trouble } from './columns';

/** What must come of an operation, with `{count}` for how many records there are. */
type Expected = Pick<Cell, 'sees' | 'claims' | 'requests' | 'exists'>;

type Outcome = Readonly<Record<Column['kind'], Expected>>;

/** One row of the table: what goes wrong, and what must come of it. */
export interface Row {
  readonly name: string;
  readonly trouble: Trouble;
  readonly outcome: Outcome;
}

const row = (name: string, rule: FaultRule, outcome: Outcome): Row => ({
  name,
  trouble: ({ faults }, when) => void faults.add({ ...rule, ...when }),
  outcome,
});

const ALL = { sees: '{count} records', claims: '' };

/** Nothing is lost: the node waits and tries again, `retries` times. */
const overcome = (retries: number): Outcome => ({
  read: { ...ALL, requests: 1 + retries, exists: 0 },
  page: { ...ALL, requests: 2 + retries, exists: 0 },
  write: { ...ALL, requests: 1 + retries, exists: 1 },
  third: { ...ALL, requests: 5 + retries, exists: 5 },
  again: { ...ALL, requests: 5 + retries, exists: 5 },
});

/** What the node fails with, and after how many requests. */
type Told = Pick<Expected, 'sees' | 'requests'>;

/** The service says that it does nothing: Retry On Fail sends again what it was told that of once. */
const refused = ({ sees, requests }: Told): Outcome => ({
  read: { sees, claims: '', requests, exists: 0 },
  page: { sees, claims: '', requests: 1 + requests, exists: 0 },
  write: { sees, claims: 'not created 0', requests, exists: 0 },
  third: { sees, claims: 'created 0,1; not created 2,3,4', requests: 2 + requests, exists: 2 },
  again: { ...ALL, requests: 6, exists: 5 },
});

/** Nobody knows whether the service acts: a write is sent once, Retry On Fail or not. */
const open = (read: Told, sees: string, acts: boolean): Outcome => {
  const created = acts ? 1 : 0;
  return {
    read: { ...read, claims: '', exists: 0 },
    page: { ...read, claims: '', requests: 1 + read.requests, exists: 0 },
    write: { sees, claims: 'uncertain 0', requests: 1, exists: created },
    third: {
      sees,
      claims: 'created 0,1; uncertain 2; not created 3,4',
      requests: 3,
      exists: 2 + created,
    },
    // The second try sends what was not sent, and holds what is open.
    again: {
      sees: 'leftOpen',
      claims: 'created 0,1,3,4; uncertain 2',
      requests: 5,
      exists: 4 + created,
    },
  };
};

/** The same fault before and after the service has processed a write. */
const beforeAndAfter = (
  name: string,
  fault: Fault & { times?: number },
  read: Told,
  sees: string,
) =>
  [false, true].map((processed) =>
    row(
      `${name}, ${processed ? 'after' : 'before'} processing`,
      { ...fault, processed },
      open(read, sees, processed),
    ),
  );

const YEARS = new Date('2035-03-05T20:00:00.000Z');
const busy = refused({ sees: 'tooManyRequests', requests: 4 });

const failedToAnswer = (requests: number): Told => ({ sees: 'serviceFailed', requests });

/** An answer that says success and isn't one, after the service has acted. */
const noSuccess = (name: string, fault: Fault): Row =>
  row(name, fault, open({ sees: 'unexpectedResponse', requests: 1 }, 'unexpectedResponse', true));

const redirect = (status: number): Fault => ({
  kind: 'status',
  status,
  headers: { Location: 'https://elsewhere.example/api/v1' },
});

const redirected: Told = { sees: 'redirected', requests: 1 };

/** The rows of the table. Trouble of which nothing else is said does not end. */
export const rows: readonly Row[] = [
  { name: 'none', trouble: () => undefined, outcome: overcome(0) },
  row('latency', { kind: 'latency', ms: 50 }, overcome(0)),
  row('429 once, Retry-After: 0', { kind: 'rateLimit', retryAfter: 0, times: 1 }, overcome(1)),
  row(
    '429 once, Retry-After: soon',
    { kind: 'rateLimit', retryAfter: 'soon', times: 1 },
    overcome(1),
  ),
  row('429 once, no Retry-After', { kind: 'rateLimit', times: 1 }, overcome(1)),
  row('429, Retry-After: 0', { kind: 'rateLimit', retryAfter: 0 }, busy),
  row('429, no Retry-After', { kind: 'rateLimit' }, busy),
  row(
    '429, Retry-After in years',
    { kind: 'rateLimit', retryAfter: YEARS },
    refused({ sees: 'tooManyRequests', requests: 1 }),
  ),
  {
    name: 'quota used up',
    trouble({ store, keys }, { after = 0 }) {
      const pro = store.findKey(keys.pro);
      if (!pro) throw new Error('The sandbox has no Pro key');
      pro.usage.used = 1000 - after;
    },
    outcome: {
      ...refused({ sees: 'quotaUsedUp', requests: 1 }),
      // Each of the three tries asks anew, as the quota may have been renewed.
      again: {
        sees: 'quotaUsedUp',
        claims: 'created 0,1; not created 2,3,4',
        requests: 5,
        exists: 2,
      },
    },
  },
  ...[500, 502, 504].flatMap((status) =>
    beforeAndAfter(
      `${status}`,
      { kind: 'status', status, headers: { 'Retry-After': '0' } },
      failedToAnswer(4),
      'serviceFailed',
    ),
  ),
  ...beforeAndAfter(
    '503 once',
    { kind: 'status', status: 503, times: 1 },
    { ...ALL, requests: 2 },
    'serviceFailed',
  ),
  ...beforeAndAfter(
    '503, Retry-After in years',
    { kind: 'status', status: 503, headers: { 'Retry-After': YEARS.toUTCString() } },
    failedToAnswer(1),
    'serviceFailed',
  ),
  ...beforeAndAfter('408', { kind: 'status', status: 408 }, failedToAnswer(1), 'serviceFailed'),
  ...beforeAndAfter(
    'reset once',
    { kind: 'reset', times: 1 },
    { ...ALL, requests: 2 },
    'noResponse',
  ),
  ...beforeAndAfter('reset', { kind: 'reset' }, { sees: 'noResponse', requests: 4 }, 'noResponse'),
  row(
    'JSON breaks off with its connection',
    { kind: 'truncated' },
    open({ sees: 'noResponse', requests: 4 }, 'noResponse', true),
  ),
  noSuccess('JSON breaks off', { kind: 'truncated', contentLength: 'cut' }),
  noSuccess('malformed JSON', { kind: 'malformedJson' }),
  noSuccess('a web page', { kind: 'html' }),
  noSuccess('no body', { kind: 'empty' }),
  noSuccess('JSON of another shape', { kind: 'wrongShape' }),
  noSuccess('a list', { kind: 'wrongShape', body: [] }),
  ...[301, 302, 303].flatMap((status) =>
    beforeAndAfter(`${status}`, redirect(status), redirected, 'redirected'),
  ),
  ...[307, 308].map((status) => row(`${status}`, redirect(status), refused(redirected))),
  ...(
    [
      [401, 'keyNotAccepted'],
      [403, 'notAllowed'],
      [404, 'notFound'],
      [409, 'conflict'],
      [422, 'invalidValues'],
    ] as const
  ).map(([status, sees]) =>
    row(`${status}`, { kind: 'status', status }, refused({ sees, requests: 1 })),
  ),
];
