import type { IDataObject } from 'n8n-workflow';

import type { Reason } from '../../nodes/SocialPublishing/idempotency/settle';
import { operations } from '../../nodes/SocialPublishing/operations';
import type { ItemWrite, Note } from '../../nodes/SocialPublishing/operations/operation';
import { readAccountList } from '../../nodes/SocialPublishing/parameters/accounts/accountList';
import { FieldReader } from '../../nodes/SocialPublishing/parameters/fieldReader';
import type { Parameters } from '../../nodes/SocialPublishing/parameters/parameters';
import { readCron, timeAfter } from '../../nodes/SocialPublishing/parameters/readers';
import {
  expressionProblem,
  FieldError,
  isRefusal,
} from '../../nodes/SocialPublishing/parameters/refusal';
import { readClockTimes } from '../../nodes/SocialPublishing/parameters/times/clock';
import { readTime } from '../../nodes/SocialPublishing/parameters/times/times';
import { timeInWords } from '../../nodes/SocialPublishing/parameters/times/timeWords';
import { readZone, zoneOf } from '../../nodes/SocialPublishing/parameters/times/zones';
import { judgeAddresses } from '../../nodes/SocialPublishing/platforms/judge';
import { compared } from '../../nodes/SocialPublishing/run/answers';
import { type RunFacts, runHints } from '../../nodes/SocialPublishing/run/notices';
import type { ItemOutcomes } from '../../nodes/SocialPublishing/run/outcomes';
import { MAY_MISS_POSTS } from '../../nodes/SocialPublishing/run/slotFailures';
import { describeProgress, stopError } from '../../nodes/SocialPublishing/run/stopped';
import {
  heldFailure,
  notLoggedFailure,
  notSettledFailure,
  stillOpenFailure,
  unreadableFailure,
} from '../../nodes/SocialPublishing/run/uncertainty';
import {
  CANCELED,
  connectionFailure,
  otherWorkspaceFailure,
  QUOTA_UNKNOWN,
  quotaKeptFailure,
  shapeFailure,
  statusFailure,
  STOPPED,
} from '../../nodes/SocialPublishing/service/failures';
import { readCredential } from '../../nodes/SocialPublishing/service/http/credential';
import { describeBody } from '../../nodes/SocialPublishing/service/http/unexpectedBody';
import {
  failed,
  type Failure,
  type Outcome,
  succeeded,
} from '../../nodes/SocialPublishing/service/outcome';
import { assertFresh, readEvent } from '../../nodes/SocialPublishingTrigger/events';
import { RefusedDelivery } from '../../nodes/SocialPublishingTrigger/refusal';
import { checkCredential } from '../../nodes/SocialPublishingTrigger/secrets';
import { credential, doubts, kinds, node } from './given';
import { response } from './service/responses';

/**
 * The texts of failures, notices and refusals as a user reads them, in one snapshot: whoever rewords one changes its source,
 * its line in the documents, and this snapshot (`npx jest test/unit/texts -u`). All other tests go by
 * codes, fields and figures.
 */
const now = Date.UTC(2026, 10, 21, 10);

const read = { credential, writes: false };
const write = { credential, writes: true };

const told = ({
  message,
  description,
  forModel,
}: Pick<Failure, 'message' | 'description' | 'forModel'>): string =>
  `${message}. ${description}${forModel === undefined ? '' : ` (A model: ${forModel})`}`;

/** What a user reads of a reading: why the value is refused. */
const refusal = (reading: object): string => {
  if (!isRefusal(reading)) throw new Error(`It is not refused: ${JSON.stringify(reading)}`);
  const { problem, hint, forBuilder } = reading;
  return `${problem}. ${hint}${forBuilder === undefined ? '' : ` (For the builder: ${forBuilder})`}`;
};

/** Why a field that holds a value is refused. */
const refused = (value: unknown, read: (field: FieldReader) => unknown): object => {
  const parameters: Pick<Parameters, 'value'> = { value: () => value };
  try {
    return { value: read(new FieldReader(parameters as Parameters, [], 0)) };
  } catch (error) {
    if (error instanceof FieldError) return error.refusal;
    throw error;
  }
};

describe('the service', () => {
  test.each([400, 401, 402, 403, 404, 405, 407, 409, 410, 413, 429, 302, 307, 503])(
    'responds with %i',
    (status) => {
      const came = response(status, '', { location: 'https://elsewhere.example/' });
      expect([read, write].map((sent) => told(statusFailure(came, sent, now)))).toMatchSnapshot();
    },
  );

  test.each([429, 503])('responds with %i and asks to wait', (status) => {
    const came = response(status, '{"message":"Busy."}', { 'retry-after': '300' });
    expect([read, write].map((sent) => told(statusFailure(came, sent, now)))).toMatchSnapshot();
  });

  test('has no request of the quota left', () => {
    const came = response(429, '', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3600' });
    expect(told(statusFailure(came, read, now))).toMatchSnapshot();
  });

  test('responds with another body', () => {
    const came = response(200, '<html></html>');
    expect([read, write].map((sent) => told(shapeFailure(came, 'posts', sent)))).toMatchSnapshot();
  });

  test.each(['', 'oops', '{}', '{"result":1}', '[]', 'null', '"a"'])('sends %j', (text) => {
    expect(describeBody(response(200, text), 'posts', (all) => all)).toMatchSnapshot();
  });

  test.each(['tooLarge', 'tooSlow', 'undecodable', 'tooDeep'] as const)(
    'sends what is %s',
    (problem) => {
      const came = { ...response(200), problem };
      expect(describeBody(came, 'posts', (all) => all)).toMatchSnapshot();
    },
  );

  test.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ECONNRESET',
    'EPROTO',
    'ETIMEDOUT',
    'ERR_CANCELED',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SsrfBlockedIpError',
    'EOTHER',
  ])('ends with %s', (code) => {
    const failures = [
      connectionFailure({ responded: false, code, neverSent: true }, read),
      connectionFailure({ responded: false, code, neverSent: false }, read),
      connectionFailure({ responded: false, code, neverSent: false }, write),
    ];
    expect(failures.map(told)).toMatchSnapshot();
  });
});

test('a proxy that is not there', () => {
  const peer = { host: '10.0.0.9', port: 3128 };
  const failure = connectionFailure(
    { responded: false, code: 'ECONNREFUSED', neverSent: true, peer },
    write,
  );
  expect(told(failure)).toMatchSnapshot();
});

test('an expression that fails', () => {
  expect(refusal(expressionProblem(new Error('invalid syntax')))).toMatchSnapshot();
});

test('a run that ends', () => {
  expect([CANCELED, STOPPED].map(told)).toMatchSnapshot();
});

test('the quota that is kept', () => {
  expect(
    [QUOTA_UNKNOWN, quotaKeptFailure(5, 5, 0), quotaKeptFailure(5, 7, 2)].map(told),
  ).toMatchSnapshot();
});

test.each<IDataObject>([
  { baseUrl: '' },
  { baseUrl: 'social.example.com' },
  { baseUrl: 'https://' },
  { baseUrl: 'ftp://social.example.com' },
  { baseUrl: 'https://ann@social.example.com' },
  { baseUrl: 'https://social.example.com/?a' },
  { apiKey: '' },
  { apiKey: 'a b' },
])('the credential %j', (wrong) => {
  const { baseUrl, apiKey } = credential;
  const problem = readCredential({ baseUrl, apiKey, ...wrong });
  expect(
    'problem' in problem && `${problem.field} ${problem.problem}. ${problem.solution}`,
  ).toMatchSnapshot();
});

describe('what an earlier try may have carried out', () => {
  const failure = statusFailure(response(422), write, now);

  test.each(doubts.map((doubt) => [doubt]))('%j', (doubt) => {
    expect(kinds.map((kind) => told(heldFailure(doubt, kind)))).toMatchSnapshot();
  });

  test.each<Reason>([
    'unknownTime',
    'fewerPosts',
    'otherPosts',
    'postNearby',
    'incomplete',
    'incomparable',
    'timePassed',
    'notThereYet',
    'changingTime',
  ])('and was looked for: %s', (reason) => {
    expect(told(notSettledFailure(undefined, reason, {}))).toMatchSnapshot();
  });

  test('and fails now', () => {
    expect(
      [
        stillOpenFailure(failure),
        unreadableFailure(failure, 2, 'post'),
        notLoggedFailure('locked'),
        notLoggedFailure('FOREIGN KEY constraint failed'),
      ].map(told),
    ).toMatchSnapshot();
  });
});

describe('the progress of a run that was stopped', () => {
  const done = (id?: unknown): Outcome<IDataObject[]> =>
    succeeded([id === undefined ? {} : { id }], {});
  const uncertain = failed(statusFailure(response(500), write, now));
  const refused = failed(statusFailure(response(422), write, now));
  const found = failed({
    ...uncertain.failure,
    lookFor: { scheduledAt: '2035-01-01T00:00:00.000Z', candidates: [3, 4] },
  });

  test.each<[string, ItemOutcomes]>([
    ['nothing', [undefined]],
    ['nothing of several', [undefined, undefined, refused]],
    ['all', [done(7), done('p-8')]],
    [
      'something of each',
      [undefined, done(7), uncertain, refused, undefined, uncertain, uncertain],
    ],
    ['a record without an ID', [done()]],
    ['a record with an ID that is none', [done({})]],
    ['what may be found by its time', [found]],
  ])('created %s', (_, results) => {
    expect(describeProgress('created', results)).toMatchSnapshot();
  });

  test('updated something of each', () => {
    expect(describeProgress('updated', [done(7), uncertain, undefined])).toMatchSnapshot();
  });
});

describe('a run that stops before anything is sent', () => {
  const refused = (message: string, description: string) =>
    failed({ code: 'invalidField', message, description, certainty: 'notSent' });
  const empty = refused('Text is empty', 'Enter a text.');
  const dates = [1, 2].map((day) => refused(`Date and Time is "${day}/1"`, 'Write the month.'));
  const operation = operations.find((one) => one.kind === 'write')!;

  test.each<[string, ItemOutcomes]>([
    ['one of one', [empty]],
    ['one of several', [undefined, empty, undefined]],
    ['all, for one reason', [empty, empty]],
    ['some, for one reason', [empty, undefined, empty]],
    ['some, for several', [empty, undefined, dates[0], empty, dates[1]]],
    ['more than it names', [...'abcdefghijklmn'].map((n) => refused(`A is ${n}`, 'Enter B.'))],
  ])('%s', (_, results) => {
    const item = results.findIndex((result) => result !== undefined);
    const [, failure] = [item, results[item]] as const;
    const error = stopError(node, operation, results, [
      item,
      (failure as ReturnType<typeof refused>).failure,
    ]);
    expect(`${error.message}. ${error.description}`).toMatchSnapshot();
    const isOne = results.filter((result) => result !== undefined).length === 1;
    expect(error.context['itemIndex']).toBe(isOne ? item : undefined);
  });
});

test('an answer that is not for the question', () => {
  const body = { workspaceId: 1, status: 'scheduled', scheduledAt: '2035-01-01T00:00:00.000Z' };
  const answer = (came: IDataObject): string => {
    const record = succeeded({ id: 5, ...body, ...came }, {});
    const outcome = compared({ noun: 'post', body, item: 1 }, record, new Map([[6, 0]]), now);
    return outcome.ok ? String(outcome.warnings) : told(outcome.failure);
  };

  expect([
    answer({ status: 'draft' }),
    answer({ workspaceId: 2 }),
    answer({ id: 6 }),
    told(otherWorkspaceFailure(2, 1)),
  ]).toMatchSnapshot();
});

test('how far away a time is', () => {
  const minutes = [
    0,
    0.4,
    0.6,
    1,
    10,
    59,
    60,
    61,
    -90,
    -120,
    2879,
    2880,
    59 * 60,
    61 * 60,
    -10,
    -2 * 1440,
  ];
  expect(
    minutes.map(
      (distance) =>
        `${distance} min: ${timeInWords(now + distance * 60_000, 'Europe/Berlin', now)}`,
    ),
  ).toMatchSnapshot();
});

describe('above the output of', () => {
  const operation = operations.find((one) => one.kind === 'write' && one.noun === 'post')!;
  const done = succeeded([{ id: 1 }], { limit: '1000', remaining: '150' });
  const uncertain = failed(statusFailure(response(500), write, now));
  const identity = { text: '', content: '', full: '', moment: undefined };
  const writeOf = (note: Note): ItemWrite => ({ body: {}, identity, note });
  const due = (minutes: number, zone = 'UTC'): Note => ({
    due: { at: now + minutes * 60_000, zone },
  });
  const lines = (results: ItemOutcomes, notes: readonly Note[], more: Partial<RunFacts> = {}) =>
    runHints(
      {
        operation,
        isManual: false,
        report: results.map((outcome, item) => ({ outcome, write: writeOf(notes[item] ?? {}) })),
        ...more,
      },
      now,
    ).map(({ type, message }) => `${type}: ${message}`);

  test.each<[string, string[]]>([
    ['one post', lines([done], [due(10)], { isManual: true })],
    ['posts for one time', lines([done, done], [due(10), due(10)], { isManual: true })],
    ['posts for several times', lines([done, done], [due(10), due(2000)])],
    [
      'posts with notes',
      lines(
        [done, done, done],
        [
          { info: () => 'Info', warnings: ['Warning'] },
          { info: () => 'Info', warnings: ['Warning'] },
          { warnings: ['Other'] },
        ],
      ),
    ],
    [
      'posts with many warnings',
      lines([done], [{ warnings: Array.from({ length: 12 }, (_, number) => `Warning ${number}`) }]),
    ],
    ['posts of which some failed', lines([done, uncertain, uncertain], [{}, {}, {}])],
    [
      'posts that earlier tries created',
      lines([], [], {
        report: [
          { outcome: { ...done, hint: MAY_MISS_POSTS }, whence: 'found' },
          { outcome: done, whence: 'skipped' },
          { outcome: done, whence: 'earlier', isUnseen: true },
          { outcome: done, whence: 'earlier', isUnseen: true },
        ],
      }),
    ],
  ])('%s', (_, said) => {
    expect(said).toMatchSnapshot();
  });
});

describe('a delivery to the trigger', () => {
  const told = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof RefusedDelivery)) throw error;
      const { status, message, explanation } = error;
      return `${status} ${message} / ${explanation.message}. ${explanation.description}`;
    }
    throw new Error('It is not refused');
  };
  const event = { event: 'inbox.new', data: {}, timestamp: '2026-11-21T10:00:00Z' };

  test.each(['[]', '{}', '{"event":"a"}', '{"event":"a","data":{}}'])('%s', (body) => {
    expect(told(() => readEvent(Buffer.from(body)))).toMatchSnapshot();
  });

  test.each([-6, 6])('that is %i minutes old', (minutes) => {
    expect(told(() => assertFresh(event, 5, now + minutes * 60_000))).toMatchSnapshot();
  });

  test.each<[string, string, string]>([
    ['no secret', '', ''],
    ['a space', ' a', ''],
    ['a space in another line', 'a', '\n b'],
    ['too many secrets', 'a', 'b\n'.repeat(51)],
    ['a secret', 'a', ''],
  ])('and a credential with %s', (_, webhookSecret, otherSecrets) => {
    expect(checkCredential({ webhookSecret, otherSecrets }).message).toMatchSnapshot();
  });
});

test.each([
  'soon',
  'tomorrow 9am',
  '10:30',
  '12/05/2026',
  '12.25.2026',
  'Thu 25/12/2026',
  '5 Dec 9:00',
  '5 grudnia 2026',
  '2026-12-05 soon',
  '2026-12-05 10:00-11:30',
  '2026-12-05 9:60',
  '2026-12-05 9:00+15:00',
  '25.12.2026 midnight',
  '12:00 am 5 Dec 2026',
  '2026-03-29 02:30',
  '2026-12-05 09:00 EST',
])('the time %j', (value) => {
  expect(
    refusal(readTime(value, { zone: zoneOf('Europe/Berlin')!, order: 'ask' })),
  ).toMatchSnapshot();
});

test.each(['x', -1, 4000])('the delay %p', (amount) => {
  expect(refusal(timeAfter(amount, 'days', now))).toMatchSnapshot();
});

test.each(['EST', 'Mars/Olympus', 2])('the time zone %p', (value) => {
  expect(refusal(readZone(value, 'UTC'))).toMatchSnapshot();
});

test.each<[string, object]>([
  ['a text', refused({}, (field) => field.text(''))],
  ['texts', refused([1], (field) => field.list(''))],
  ['a whole number', refused('x', (field) => field.integer(''))],
  ['a number above 0', refused(0, (field) => field.positiveInteger(''))],
  ['a choice', refused('c', (field) => field.oneOf('', ['a', 'b']))],
  ['a switch', refused('x', (field) => field.switch(''))],
  ['JSON', refused('{', (field) => field.json(''))],
  ['a JSON object', refused('[]', (field) => field.jsonObject(''))],
  ['URLs', refused('a.png', (field) => field.mediaUrls(''))],
  ['an hour alone', readClockTimes('9')],
  ['no times of the day', readClockTimes(' , ')],
  ['four fields', readCron('0 9 * *')],
  ['a cron expression of words', readCron('0 9 * * Mon&Tue')],
])('a value that is not %s', (_, reading) => {
  expect(refusal(reading)).toMatchSnapshot();
});

const bakery = [
  { id: 1, platform: 'instagram', platformUsername: 'door', displayName: 'Door' },
  { id: 2, platform: 'x', platformUsername: 'door', displayName: 'Door' },
  { id: 3, platform: 'tiktok', displayName: 'Old', isActive: false },
];

test.each(['https://drive.google.com/drive/folders/1aB', 'https://photos.app.goo.gl/a1B2'])(
  'the media %s',
  (address) => {
    expect(judgeAddresses([{ address }])).toMatchSnapshot();
  },
);

test.each<[unknown, IDataObject[]]>([
  ['nobody', bakery],
  ['instagran', bakery],
  ['nobody', []],
  ['Door', bakery],
  [0, bakery],
  ['all', bakery.slice(2)],
  ['all', [{ ...bakery[0], displayName: 'All' }]],
])('the account %j', async (name, accounts) => {
  expect(refusal(await readAccountList([name], () => Promise.resolve(accounts)))).toMatchSnapshot();
});
