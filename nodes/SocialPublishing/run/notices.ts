import type { NodeExecutionHint } from 'n8n-workflow';

import { countBy } from '../idempotency/counts';
import type { Note, Operation } from '../operations/operation';
import { timeInWords } from '../parameters/times/timeWords';
import type { Quota } from '../service/outcome';
import { asHtml } from './errors';
import type { Report } from './outcomes';
import { rowsOf, type SaidOfRows, saidOnce } from './rows';
import type { RecognizedBy } from './slotFailures';

/** What happened in a run of the node, item by item. */
export interface RunFacts extends Report {
  readonly operation: Operation;
  readonly isManual: boolean;
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

const were = (count: number): string => (count === 1 ? 'was' : 'were');

function dueWords(notes: readonly Note[], now: number): string[] {
  const dues = notes.flatMap(({ due }) => (due === undefined ? [] : [due]));
  const sorted = [...dues].sort((a, b) => a.at - b.at);
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return [];
  const words = ({ at, zone }: typeof first): string => timeInWords(at, zone, now);
  if (dues.length === 1) return [`Scheduled for ${words(first)}`];
  return first.at === last.at
    ? [`${dues.length} posts scheduled for ${words(first)}`]
    : [
        `${dues.length} posts scheduled, the first for ${words(first)}, the last for ${words(last)}`,
      ];
}

/** What a test run in the editor has done for real. */
function realWords({ operation, isManual, found, writes }: RunFacts, written: readonly number[]) {
  if (!isManual || operation.kind !== 'write' || operation.did !== 'created') return [];
  const created = written.filter((index) => !found.includes(index));
  if (created.length === 0) return [];
  const again = created.some(
    (index) => (writes.get(index)?.slot?.ifTaken ?? 'create') === 'create',
  );
  const { noun } = operation;
  const [what, another] =
    created.length === 1
      ? [`a real ${noun}`, 'another']
      : [`${created.length} real ${noun}s`, 'more'];
  return [`This created ${what}${again ? `. Each run creates ${another}` : ''}`];
}

const infoOf = ({ results, writes }: RunFacts, index: number): string | readonly string[] => {
  const result = results[index];
  const [record] = result?.ok === true ? result.value : [];
  return (record && writes.get(index)?.note?.info?.(record)) ?? [];
};

/** The same words of several items once, with how many they are of. */
function once(texts: readonly string[]): string[] {
  return [...countBy(texts)].map(([text, count]) =>
    count === 1 ? text : `${text} (${count} items)`,
  );
}

/** The same words of several items once, with the rows that they are about. */
const withRows = (said: readonly SaidOfRows[]): string[] =>
  saidOnce(said).map(
    ({ text, items, alike }) =>
      `${text} [${rowsOf(items)}${alike.length === 0 ? '' : `; other values in ${rowsOf(alike)}`}]`,
  );

function warningsOf(facts: RunFacts, written: readonly number[]): SaidOfRows[] {
  const { results, writes, warnings } = facts;
  const isWritten = new Set(written);
  return results.flatMap((result, index) => {
    const ofWrite = isWritten.has(index) ? writes.get(index)?.note?.warnings : undefined;
    const ofAnswer = result?.ok === true ? result.warnings : undefined;
    return [...(ofAnswer ?? []), ...(ofWrite ?? []), ...(warnings.get(index) ?? [])].map(
      (text): SaidOfRows => [index, text],
    );
  });
}

const notDone = (count: number, what: string): string =>
  `${count} of ${what}: see the error column`;

/** What was not done: how many items failed, and why most of them. */
function failureWords({ operation, results }: RunFacts): string[] {
  const failures = results.flatMap((result, index) =>
    result?.ok === false ? [{ index, ...result.failure }] : [],
  );
  if (failures.length === 0) return [];
  const rows = (items: typeof failures): string =>
    results.length === 1 ? '' : ` [${rowsOf(items.map(({ index }) => index))}]`;
  const uncertain = failures.filter(({ certainty }) => certainty === 'uncertain');
  const what =
    operation.kind === 'write'
      ? `${counted(results.length, operation.noun)} ${were(failures.length)} not ${operation.did}`
      : `${counted(results.length, 'item')} failed`;
  const anyway =
    uncertain.length === 0
      ? ''
      : `. ${uncertain.length} of them may exist anyway${rows(uncertain)}`;
  const reasons = failures.map(({ index, message }): SaidOfRows => [index, message]);
  return [
    `${notDone(failures.length, what)}${rows(failures)}${anyway}`,
    ...(results.length === 1 ? [] : capped(withRows(reasons), 2, 'reason')),
  ];
}

const MAX_LINES = 6;

const capped = (texts: readonly string[], most: number, noun: string): string[] => {
  const more = texts.length - Math.max(most, 1) + 1;
  return more <= 1
    ? [...texts]
    : [...texts.slice(0, -more), `${more} more ${noun}${more === 1 ? ' is' : 's are'} not shown`];
};

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;

/** What is said of posts that exist: which of them this node knows, and which it goes by the time of. */
function existingWords({ results, skipped, besides }: RunFacts, written: readonly number[]) {
  const records = results.flatMap((result, index) =>
    result?.ok === true && skipped.has(index) ? result.value : [],
  );
  const by = (how: RecognizedBy): number =>
    records.filter(({ recognizedBy }) => recognizedBy === how).length;
  const said: ReadonlyArray<readonly [count: number, words: string]> = [
    [
      by('post'),
      'not created, because this node has created the same already: the output holds that post',
    ],
    [
      by('lostAnswer'),
      'not created, because this node has sent the same and got no answer: the output holds the post that it very likely is',
    ],
    [
      by('time'),
      'not created, because a post that this node does not know has that time: the output holds that post',
    ],
    [
      written.filter((index) => besides.has(index)).length,
      'created for a time that this node has created another post for',
    ],
  ];
  return said.flatMap(([count, words]) =>
    count === 0 ? [] : [`${counted(count, 'post')} ${words}`],
  );
}

const LOW = 1 / 5;

function quotaWords(quotas: readonly Quota[]): string[] {
  const known = quotas.flatMap((quota) => {
    const limit = numberIn(quota.limit);
    const remaining = numberIn(quota.remaining);
    return limit === undefined || remaining === undefined ? [] : [{ limit, remaining }];
  });
  const least = known.sort((a, b) => a.remaining - b.remaining)[0];
  if (least === undefined || least.limit === 0 || least.remaining > least.limit * LOW) return [];
  const format = new Intl.NumberFormat('en');
  return [
    `${format.format(least.remaining)} of ${format.format(least.limit)} requests of the API key are left`,
  ];
}

/** Such as `Row 3 was` or `Rows 1, 3 to 6 were`. */
const subject = (items: readonly number[]): string =>
  `R${rowsOf(items).slice(1)} ${were(items.length)}`;

/** What is to say of writes that earlier tries have carried out. */
function earlierWords({ found, withoutRecord }: RunFacts, did: string): string[] {
  const about = (items: readonly number[], words: string): string[] =>
    items.length === 0 ? [] : [`${subject([...items].sort((a, b) => a - b))} ${words}`];
  return [
    ...about(
      found,
      'found in the service by time: no usable response came to the request, so it is likely, but not certain, that this record belongs to the item',
    ),
    ...about(
      withoutRecord,
      `${did} by an earlier try, and not ${did} again. The ID is not known: look in the service, or set the option Uncertain Posts to Look in the Service`,
    ),
  ];
}

/** What is shown above the output of a run, also of past ones; `now` in Unix milliseconds. */
export function runHints(facts: RunFacts, now: number): NodeExecutionHint[] {
  const { operation, results, writes, earlier, skipped, mayMissPosts } = facts;
  const indexes = [...results.keys()];
  const noun = operation.kind === 'write' ? operation.noun : 'request';
  const did = operation.kind === 'write' ? operation.did : 'answered';
  const written = indexes.filter(
    (index) => results[index]?.ok === true && !earlier.has(index) && !skipped.has(index),
  );
  const notes = written.flatMap((index) => writes.get(index)?.note ?? []);
  const fromEarlier = indexes.filter((index) => earlier.has(index) && results[index]?.ok === true);
  const quotas = results.flatMap((result, index) =>
    result?.ok === true && !earlier.has(index) ? [result.quota] : [],
  );
  const infos = [
    ...dueWords(notes, now),
    ...realWords(facts, written),
    ...once(written.flatMap((index) => infoOf(facts, index))),
    ...capped(once(facts.empty), 3, 'line'),
    ...(fromEarlier.length === 0
      ? []
      : [
          `${counted(fromEarlier.length, noun)} ${were(fromEarlier.length)} ${did} by an earlier try and not sent again`,
        ]),
    ...existingWords(facts, written),
  ];
  const failures = failureWords(facts);
  const doubts = [
    ...earlierWords(facts, did),
    ...(mayMissPosts && written.length > 0
      ? [
          'Not all posts could be read. A new post may have the same time as one that was already scheduled: look in the service',
        ]
      : []),
    ...new Set(results.flatMap((result) => (result?.ok === true ? (result.hint ?? []) : []))),
  ];
  const quota = quotaWords(quotas);
  const said = warningsOf(facts, written);
  const warnings = capped(
    results.length === 1 ? [...new Set(said.map(([, text]) => text))] : withRows(said),
    MAX_LINES - failures.length - doubts.length - infos.length - quota.length,
    'warning',
  );
  const hint = (type: 'info' | 'warning') => (text: string) => ({
    message: asHtml(text),
    type,
    location: 'outputPane' as const,
  });
  return [
    ...[...failures, ...doubts, ...warnings].map(hint('warning')),
    ...infos.map(hint('info')),
    ...quota.map(hint('warning')),
  ].slice(0, MAX_LINES);
}
