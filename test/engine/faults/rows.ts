import type { Fault, FaultRule } from '../../../sandbox';
import type { Cell, Column, Trouble } from './columns';

/**
 * What must come of an operation. The texts are what the user's texts must hold, with `{field}` for
 * what the operation's answer holds its records under, `{count}` for how many there are, and `{did}`
 * for what it does with them.
 */
type Expected = Pick<Cell, 'sees' | 'next' | 'requests' | 'exists'>;

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

const ALL = { sees: '{count} records', next: '' };
const TWO = 'Created: item 0 (ID 1), item 1 (ID 2).';

/** Nothing is lost: the node waits and tries again, `retries` times. */
const overcome = (retries: number): Outcome => ({
  read: { ...ALL, requests: 1 + retries, exists: 0 },
  page: { ...ALL, requests: 2 + retries, exists: 0 },
  write: { ...ALL, requests: 1 + retries, exists: 1 },
  third: { ...ALL, requests: 5 + retries, exists: 5 },
  again: { ...ALL, requests: 5 + retries, exists: 5 },
});

/** What the user reads, and after how many requests. */
type Told = Omit<Expected, 'exists'>;

/** The service says that it does nothing: Retry On Fail sends again what it was told that of once. */
const refused = ({ sees, next, requests }: Told): Outcome => ({
  read: { sees, next, requests, exists: 0 },
  page: { sees, next, requests: 1 + requests, exists: 0 },
  write: { sees, next: 'Not {did}: item 0.', requests, exists: 0 },
  third: { sees, next: `${TWO} Not created: item 2 to 4.`, requests: 2 + requests, exists: 2 },
  again: { ...ALL, requests: 6, exists: 5 },
});

/** Nobody knows whether the service acts: a write is sent once, Retry On Fail or not. */
const open = (read: Told, sees: string, acts: boolean): Outcome => {
  const created = acts ? 1 : 0;
  const third = {
    sees,
    next: `${TWO} May or may not have been created: item 2. Not created: item 3 to 4.`,
    requests: 3,
    exists: 2 + created,
  };
  return {
    read: { ...read, exists: 0 },
    page: { ...read, requests: 1 + read.requests, exists: 0 },
    write: {
      sees,
      next: 'May or may not have been {did}: item 0.',
      requests: 1,
      exists: created,
    },
    third,
    // The second try sends what was not sent, and holds what is open.
    again: {
      sees: 'An earlier try in this execution may or may not have carried this out, so it was not sent again',
      next: `${TWO.slice(0, -1)}, item 3 (ID ${3 + created}), item 4 (ID ${4 + created}). May or may not have been created: item 2.`,
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
const UNTIL = 'and asks to wait until 2035-03-05 20:00:00 UTC';
const AFTER = 'Run this again after 2035-03-05 20:00:00 UTC.';
const LATER = 'Run this again later';
const ADDRESS = 'Check the Base URL in the credential';
const BROKEN = 'No complete response came from 127.0.0.1';
const MAYBE = 'may or may not have been carried out';

const busy = refused({
  sees: 'The service accepts no more requests right now',
  next: 'To make this less likely, lower Concurrency in the options',
  requests: 4,
});

const failed = (status: number) =>
  `The service failed while it handled the request (${status}), which ${MAYBE}`;

const failedToAnswer = (status: number, requests: number): Told => ({
  sees: `The service failed to respond (${status})`,
  next: LATER,
  requests,
});

/** An answer that says success and isn't one, after the service has acted. */
const noSuccess = (name: string, fault: Fault, came: string, status = 201): Row => {
  const sees = (of: number) => `The service responded with success (${of}) but sent ${came}`;
  const read = { sees: sees(200), next: ADDRESS, requests: 1 };
  return row(name, fault, open(read, `${sees(status)}`, true));
};

const redirect = (status: number): Fault => ({
  kind: 'status',
  status,
  headers: { Location: 'https://elsewhere.example/api/v1' },
});

const redirects = (status: number): Told => ({
  sees: `The service redirects to another address (${status})`,
  next: 'It names https://elsewhere.example/api/v1. Redirects are not followed',
  requests: 1,
});

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
    refused({
      sees: `The service accepts no more requests right now ${UNTIL}`,
      next: AFTER,
      requests: 1,
    }),
  ),
  {
    name: 'quota used up',
    trouble({ store, keys }, { after = 0 }) {
      const pro = store.findKey(keys.pro);
      if (!pro) throw new Error('The sandbox has no Pro key');
      pro.usage.used = 1000 - after;
    },
    outcome: {
      ...refused({
        sees: 'The request quota of this API key is used up until',
        next: 'You can also upgrade your plan.',
        requests: 1,
      }),
      // Each of the three tries asks anew, as the quota may have been renewed.
      again: {
        sees: 'The request quota of this API key is used up until',
        next: `${TWO} Not created: item 2 to 4.`,
        requests: 5,
        exists: 2,
      },
    },
  },
  ...[500, 502, 504].flatMap((status) =>
    beforeAndAfter(
      `${status}`,
      { kind: 'status', status, headers: { 'Retry-After': '0' } },
      failedToAnswer(status, 4),
      failed(status),
    ),
  ),
  ...beforeAndAfter(
    '503 once',
    { kind: 'status', status: 503, times: 1 },
    { ...ALL, requests: 2 },
    failed(503),
  ),
  ...beforeAndAfter(
    '503, Retry-After in years',
    { kind: 'status', status: 503, headers: { 'Retry-After': YEARS.toUTCString() } },
    { sees: `The service failed to respond (503) ${UNTIL}`, next: AFTER, requests: 1 },
    failed(503),
  ),
  ...beforeAndAfter('408', { kind: 'status', status: 408 }, failedToAnswer(408, 1), failed(408)),
  ...beforeAndAfter('reset once', { kind: 'reset', times: 1 }, { ...ALL, requests: 2 }, BROKEN),
  ...beforeAndAfter('reset', { kind: 'reset' }, { sees: BROKEN, next: LATER, requests: 4 }, BROKEN),
  row(
    'JSON breaks off with its connection',
    { kind: 'truncated' },
    open({ sees: BROKEN, next: LATER, requests: 4 }, BROKEN, true),
  ),
  noSuccess(
    'JSON breaks off',
    { kind: 'truncated', contentLength: 'cut' },
    'a response that is not valid JSON (it begins with “{"{field}":',
  ),
  noSuccess(
    'malformed JSON',
    { kind: 'malformedJson' },
    `a response that is not valid JSON (it begins with “{'{field}':`,
  ),
  noSuccess('a web page', { kind: 'html' }, 'a web page', 200),
  noSuccess('no body', { kind: 'empty' }, 'an empty response', 200),
  noSuccess(
    'JSON of another shape',
    { kind: 'wrongShape' },
    'an object without a usable "{field}" (it has result)',
  ),
  noSuccess('a list', { kind: 'wrongShape', body: [] }, 'a list instead of an object'),
  ...[301, 302, 303].flatMap((status) =>
    beforeAndAfter(
      `${status}`,
      redirect(status),
      redirects(status),
      `The service redirects to another address (${status}), so the request ${MAYBE}`,
    ),
  ),
  ...[307, 308].map((status) => row(`${status}`, redirect(status), refused(redirects(status)))),
  row(
    '401',
    { kind: 'status', status: 401 },
    refused({
      sees: 'The API key was not accepted (401)',
      next: 'Settings, API Keys',
      requests: 1,
    }),
  ),
  row(
    '403',
    { kind: 'status', status: 403 },
    refused({
      sees: 'This API key is not allowed to do this (403)',
      next: 'plan of the key includes API access',
      requests: 1,
    }),
  ),
  row(
    '404',
    { kind: 'status', status: 404 },
    refused({
      sees: 'The service did not find what was asked for (404)',
      next: 'Check the Workspace ID',
      requests: 1,
    }),
  ),
  row(
    '409',
    { kind: 'status', status: 409 },
    refused({
      sees: 'The service reports a conflict with what it already has (409)',
      next: 'look in the service',
      requests: 1,
    }),
  ),
  row(
    '422',
    { kind: 'status', status: 422 },
    refused({
      sees: 'The service refused the values (422)',
      next: 'Correct the field that the service names',
      requests: 1,
    }),
  ),
];
