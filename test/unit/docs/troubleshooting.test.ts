import { SocialPublishingApi } from '../../../credentials/SocialPublishingApi.credentials';
import { judgeHead } from '../../../nodes/SocialPublishing/platforms/hosts';
import {
  heldFailure,
  notLoggedFailure,
  notSettledFailure,
  stillOpenFailure,
  unreadableFailure,
} from '../../../nodes/SocialPublishing/run/uncertainty';
import { connectionFailure, statusFailure } from '../../../nodes/SocialPublishing/service/failures';
import type { Head } from '../../../nodes/SocialPublishing/service/http/head';
import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import { credential, doubts, kinds } from '../given';
import { headings } from './documents';
import { failures, messages } from './messages';
import { listsBelow } from './tables';

const DOCUMENT = 'docs/troubleshooting.md';

const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
const codes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPROTO',
  'ETIMEDOUT',
  'SSRFBlockedIpError',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ANOTHER',
];

/** The failures for each status and for connections, of reads and writes. */
const ofService = [false, true].flatMap((writes) => {
  const sent = { credential, writes };
  return [
    ...statuses.map((status) =>
      statusFailure({ responded: true, status, statusText: '', headers: {}, text: '' }, sent, 0),
    ),
    ...codes.flatMap((code) =>
      [false, true].map((neverSent) =>
        connectionFailure({ responded: false, code, neverSent }, sent),
      ),
    ),
  ];
});

const heads: Array<Head | undefined> = [
  undefined,
  ...(['blocked', 'slow', 'unreachable'] as const).map((why) => ({
    answered: false as const,
    why,
  })),
  ...[401, 403, 404, 410, 500].map((status) => ({
    answered: true as const,
    status,
    type: undefined,
  })),
  ...['text/html', 'audio/mpeg'].map((type) => ({ answered: true as const, status: 200, type })),
];

const ofHosts = heads.flatMap((head) => judgeHead('…', head));

const lists = headings(DOCUMENT).flatMap((heading) =>
  listsBelow(DOCUMENT, heading).map((texts) => ({ heading, texts })),
);

const rows = lists.flatMap(({ texts }) => texts);

/** A text as a pattern: `…` stands for anything. */
const pattern = (text: string): string =>
  text
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');

const fields = JSON.stringify([new SocialPublishing().description, new SocialPublishingApi()]);

const labels = [...fields.matchAll(/"displayName":"([^"]+)"/g)].map(([, label = '']) => label);

/** What a row says after the name of a field; empty if that is less than three words, or no field is named. */
function afterField(row: string): string {
  const field = [...labels, '…'].find((label) => row.startsWith(`${label} `)) ?? row;
  const rest = row.slice(field.length + 1).replace('(in the credential) ', '');
  return rest.split(' ').filter((word) => word !== '…').length < 3 ? '' : rest;
}

/** The ends of a row that are at least five words: what it says of a message whose first words vary. */
function endsOf(row: string): string[] {
  const words = row.split(' ');
  return words.slice(1, -4).map((_, index) => words.slice(index + 1).join(' '));
}

/** What a message may begin with, for each row. */
const beginnings = new Map(
  rows.map((row) => [
    row,
    [row, afterField(row), ...endsOf(row)]
      .filter((part) => part !== '')
      .map((part) => new RegExp(`^${pattern(part)}`)),
  ]),
);

/** Whether a row has a message: all of it, or its beginning, with or without the name of a field. */
const has = (row: string, message: string): boolean =>
  new RegExp(`^(?:.+ )?${pattern(message)}$`).test(row) ||
  (beginnings.get(row) ?? []).some((beginning) => beginning.test(message));

/** Some messages are put together of values alone. */
const saysSomething = (message: string): boolean =>
  message.split(/[\s….():,]+/).filter(Boolean).length > 1;

const said = [
  ...new Set([
    ...messages.map(({ text }) => text),
    ...ofService.map(({ message }) => message),
    ...ofHosts.map(({ problem }) => `Media URLs ${problem}`),
  ]),
].filter(saysSomething);

test('there are messages to look for', () => {
  expect(said.length).toBeGreaterThan(150);
});

test('every message has a row', () => {
  expect(said.filter((message) => !rows.some((row) => has(row, message)))).toEqual([]);
});

test('every row has a message', () => {
  const all = [...said, 'Unauthorized'];
  expect(rows.filter((row) => !all.some((message) => has(row, message)))).toEqual([]);
});

test.each(lists)('the list of "$heading" is in alphabetical order', ({ texts }) => {
  const { compare } = new Intl.Collator('en', { ignorePunctuation: true });
  expect(texts).toEqual([...texts].sort(compare));
});

test.each(['Accounts', 'Date and Time', 'Media Files', 'Text and Media URLs', 'The credential'])(
  'the errors of "%s" begin with the name of a field',
  (heading) => {
    const [texts = []] = lists.filter((list) => list.heading === heading).map((one) => one.texts);
    expect(texts).not.toEqual([]);
    expect(texts.filter((text) => !labels.some((label) => text.startsWith(`${label} `)))).toEqual(
      [],
    );
  },
);

const VERBS =
  'Add|Ask|Begin|Check|Choose|Connect|Copy|Correct|Do|Enter|Give|Leave|Look|Lower|Make|Name|Open|Paste|Preview|Put|Raise|Read|Remove|Retry|Run|Select|Set|Shorten|Spend|Tell|Test|Try|Turn|Update|Upload|Use|Wait|Write';
const TO_DO = new RegExp(
  `^(?:(?:To|If|For|In|It|An?|The) .*[,:] |Or |Then |You can also )?(?:${VERBS}|${VERBS.toLowerCase()}|upgrade)\\b`,
);

/** Whether a text ends with what to do, and leads nobody away. What stands in brackets counts for nothing. */
const endsWithWhatToDo = (text: string): boolean => {
  const sentences = text.replace(/ \([^)]*\)$/, '').split(/(?<=[.!…]) (?=[A-Z])/);
  return TO_DO.test(sentences.at(-1) ?? '') && !/github\.com/.test(text);
};

test('what is said about a field, a platform or a host ends with what to do', () => {
  const solutions = [
    ...failures
      // Of what may exist already, the end is put together of more: see below.
      .filter(({ file }) => !file.endsWith('run/uncertainty.ts'))
      .flatMap((one) => one.solutions)
      // Ends with a text of its own.
      .map((text) => text.replace(/^…| …$/g, ''))
      .filter((text) => text !== 'Nothing was sent for this item.'),
    ...ofHosts.map(({ hint }) => hint),
  ];
  expect(solutions.length).toBeGreaterThan(70);
  expect(solutions.filter((text) => !endsWithWhatToDo(text))).toEqual([]);
});

test('what is said about a post or an agent that may exist ends with what to do', () => {
  const [failure] = ofService;
  const held = [
    ...doubts.flatMap((doubt) => kinds.map((kind) => heldFailure(doubt, kind))),
    notLoggedFailure('FOREIGN KEY constraint failed'),
    notLoggedFailure('database is locked'),
    notSettledFailure(undefined, 'otherPosts', {}),
    stillOpenFailure(failure!),
    unreadableFailure(failure!, 2, 'post'),
  ];
  expect(held.filter(({ description }) => !endsWithWhatToDo(description))).toEqual([]);
});

test('what is said about a response or a connection ends with what to do', () => {
  const descriptions = [...new Set(ofService.map(({ description }) => description))];
  expect(descriptions.length).toBeGreaterThan(20);
  expect(descriptions.filter((text) => !endsWithWhatToDo(text))).toEqual([]);
});
