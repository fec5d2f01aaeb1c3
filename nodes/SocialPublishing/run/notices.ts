import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import type { Note, Operation } from '../operations/operation';
import { timeInWords } from '../parameters/times/timeWords';
import type { Succeeded } from '../service/outcome';
import { numberIn } from '../service/quota';
import { asHtml } from './errors';
import type { ItemReport, Report } from './outcomes';
import { rowsOf, type SaidOfRows, saidOnce } from './rows';
import type { RecognizedBy } from './slotFailures';

/** What happened in a run of the node. */
export interface RunFacts {
  readonly operation: Operation;
  readonly isManual: boolean;
  readonly report: Report;
}

/** An item that went well. */
type Success = ItemReport & Succeeded<IDataObject[]> & { readonly index: number };

/** Whether an item was written, by this run or by what was found for it. */
const isWritten = ({ whence }: Success): boolean => whence === undefined || whence === 'found';

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
function realWords({ operation, isManual }: RunFacts, written: readonly Success[]): string[] {
  if (!isManual || operation.kind !== 'write' || operation.did !== 'created') return [];
  const created = written.filter(({ whence }) => whence !== 'found');
  if (created.length === 0) return [];
  const again = created.some(({ write }) => (write?.slot?.ifTaken ?? 'create') === 'create');
  const { noun } = operation;
  const [what, another] =
    created.length === 1
      ? [`a real ${noun}`, 'another']
      : [`${created.length} real ${noun}s`, 'more'];
  return [`This created ${what}${again ? `. Each run creates ${another}` : ''}`];
}

const infoOf = ({ value: [record], write }: Success): string | readonly string[] =>
  (record && write?.note?.info?.(record)) ?? [];

/** The same words of several items once, with how many they are of. */
function once(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} items)`));
}

/** The same words of several items once, with the rows that they are about. */
const withRows = (said: readonly SaidOfRows[]): string[] =>
  saidOnce(said).map(
    ({ text, items, alike }) =>
      `${text} [${rowsOf(items)}${alike.length === 0 ? '' : `; other values in ${rowsOf(alike)}`}]`,
  );

function warningsOf(one: Success): SaidOfRows[] {
  const { index, warnings = [], write } = one;
  const ofWrite = (isWritten(one) && write?.note?.warnings) || [];
  return [...warnings, ...ofWrite].map((text): SaidOfRows => [index, text]);
}

const notDone = (count: number, what: string): string =>
  `${count} of ${what}: see the error column`;

/** What was not done: how many items failed, and why most of them. */
function failureWords({ operation, report }: RunFacts): string[] {
  const failures = report.flatMap(({ outcome }, index) =>
    outcome?.ok === false ? [{ index, ...outcome.failure }] : [],
  );
  if (failures.length === 0) return [];
  const rows = (items: typeof failures): string =>
    report.length === 1 ? '' : ` [${rowsOf(items.map(({ index }) => index))}]`;
  const uncertain = failures.filter(({ certainty }) => certainty === 'uncertain');
  const what =
    operation.kind === 'write'
      ? `${counted(report.length, operation.noun)} ${were(failures.length)} not ${operation.did}`
      : `${counted(report.length, 'item')} failed`;
  const anyway =
    uncertain.length === 0
      ? ''
      : `. ${uncertain.length} of them may exist anyway${rows(uncertain)}`;
  const reasons = failures.map(({ index, message }): SaidOfRows => [index, message]);
  return [
    `${notDone(failures.length, what)}${rows(failures)}${anyway}`,
    ...(report.length === 1 ? [] : capped(withRows(reasons), 2, 'reason')),
  ];
}

const MAX_LINES = 6;

const capped = (texts: readonly string[], most: number, noun: string): string[] => {
  const more = texts.length - Math.max(most, 1) + 1;
  return more <= 1
    ? [...texts]
    : [...texts.slice(0, -more), `${more} more ${noun}${more === 1 ? ' is' : 's are'} not shown`];
};

/** What is said of posts that exist: which of them this node knows, and which it goes by the time of. */
function existingWords(skipped: readonly Success[], written: readonly Success[]): string[] {
  const records = skipped.flatMap(({ value }) => value);
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
      written.filter(({ isBeside }) => isBeside).length,
      'created for a time that this node has created another post for',
    ],
  ];
  return said.flatMap(([count, words]) =>
    count === 0 ? [] : [`${counted(count, 'post')} ${words}`],
  );
}

const LOW = 1 / 5;

function quotaWords(answers: readonly Success[]): string[] {
  const known = answers.flatMap(({ quota }) => {
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
function earlierWords(done: readonly Success[], did: string): string[] {
  const about = (items: readonly Success[], words: string): string[] =>
    items.length === 0 ? [] : [`${subject(items.map(({ index }) => index))} ${words}`];
  return [
    ...about(
      done.filter(({ whence }) => whence === 'found'),
      'found in the service by time: no usable response came to the request, so it is likely, but not certain, that this record belongs to the item',
    ),
    ...about(
      done.filter(({ isUnseen }) => isUnseen),
      `${did} by an earlier try, and not ${did} again. The ID is not known: look in the service, or set the option Uncertain Posts to Look in the Service`,
    ),
  ];
}

/** What is shown above the output of a run, also of past ones; `now` in Unix milliseconds. */
export function runHints(facts: RunFacts, now: number): NodeExecutionHint[] {
  const { operation, report } = facts;
  const [noun, did] =
    operation.kind === 'write' ? [operation.noun, operation.did] : ['request', 'answered'];
  const done = report.flatMap((one, index): Success[] =>
    one.outcome?.ok ? [{ ...one, ...one.outcome, index }] : [],
  );
  const earlier = done.filter(({ whence }) => whence === 'earlier');
  const skipped = done.filter(({ whence }) => whence === 'skipped');
  const written = done.filter(isWritten);
  const infos = [
    ...dueWords(
      written.flatMap(({ write }) => write?.note ?? []),
      now,
    ),
    ...realWords(facts, written),
    ...once(written.flatMap(infoOf)),
    ...capped(once(done.flatMap(({ whenEmpty }) => whenEmpty ?? [])), 3, 'line'),
    ...(earlier.length === 0
      ? []
      : [
          `${counted(earlier.length, noun)} ${were(earlier.length)} ${did} by an earlier try and not sent again`,
        ]),
    ...existingWords(skipped, written),
  ];
  const failures = failureWords(facts);
  const doubts = [...earlierWords(done, did), ...new Set(done.flatMap(({ hint }) => hint ?? []))];
  const quota = quotaWords(done.filter(({ whence }) => whence !== 'earlier'));
  const said = done.flatMap(warningsOf);
  const warnings = capped(
    report.length === 1 ? [...new Set(said.map(([, text]) => text))] : withRows(said),
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
