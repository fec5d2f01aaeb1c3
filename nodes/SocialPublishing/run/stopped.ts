import type { IDataObject, INode } from 'n8n-workflow';

import type { Operation } from '../operations/operation';
import type { Failure } from '../service/outcome';
import { capitalized, lines, sentences } from '../service/words';
import { isTool, nodeError } from './errors';
import type { ItemOutcomes } from './outcomes';
import { ranges, rowsOf, type SaidOnce, saidOnce } from './rows';

/** The words of a run that stops: what matters first, and bounded however many items there are. */

/** How many different problems are named when several items can't be sent. */
const MAX_NAMED = 10;

/** How many records, and how many that may exist, are listed. */
const MAX_LISTED = 100;

/** How long the words of one problem may be. */
const MAX_WORDS = 300;

/** @param noun what there are more of */
const firstListed = (entries: readonly string[], noun: string): string => {
  const more = entries.length - MAX_LISTED;
  return `${entries.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more ${noun}` : ''}`;
};

const idInWords = ({ id }: IDataObject): string =>
  typeof id === 'number' || typeof id === 'string' ? `ID ${id}` : 'without an ID';

type FailedItem = readonly [item: number, failure: Failure];

const failuresIn = (results: ItemOutcomes): FailedItem[] =>
  results.flatMap((result, item) =>
    result?.ok === false ? [[item, result.failure] as const] : [],
  );

/** The times of the items that are open, and what the service has for these, as far as known. */
function openTimes(open: readonly FailedItem[]): string {
  const times = open.flatMap(([item, { lookFor }]) => {
    const { scheduledAt, candidates = [] } = lookFor ?? {};
    if (scheduledAt === undefined) return [];
    const has = candidates.length === 0 ? '' : ` (the service has ID ${candidates.join(', ')})`;
    return [`item ${item} at ${scheduledAt}${has}`];
  });
  return times.length === 0 ? '' : `Look for ${firstListed(times, 'times')}.`;
}

/**
 * What a run that was stopped has written by then and what not, in sentences for the description of
 * an error; also what earlier tries of the same run have written.
 * @param did what the operation does, in words
 */
export function describeProgress(did: string, results: ItemOutcomes): string {
  const done = results.flatMap((result, item) =>
    result?.ok === true ? [`item ${item} (${result.value.map(idInWords).join(', ')})`] : [],
  );
  const open = failuresIn(results).filter(([, { certainty }]) => certainty === 'uncertain');
  const isOpen = new Set(open.map(([item]) => item));
  const notDone = [...results.keys()].filter(
    (item) => results[item]?.ok !== true && !isOpen.has(item),
  );
  return lines(
    open.length === 0 ? '' : `May or may not have been ${did}: item ${ranges([...isOpen])}.`,
    openTimes(open),
    done.length === 0 ? '' : `${capitalized(did)}: ${firstListed(done, 'items')}.`,
    notDone.length === 0 ? '' : `Not ${did}: item ${ranges(notDone)}.`,
  );
}

const GO_ON =
  'To continue, retry this execution: a new execution begins with the first item again.';

const short = (text: string): string =>
  text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;

/** Such as `Rows 1, 3 (items 0, 2): Text is empty.` */
const placed = ({ items, alike }: SaidOnce, words: string): string =>
  sentences(
    `${capitalized(rowsOf(items))} (item${items.length === 1 ? '' : 's'} ${ranges(items)})${words}.`,
    alike.length > 0 && `Other values in ${rowsOf(alike)}.`,
  );

/** What is wrong with several items: each problem once with its rows, and what to do once. */
function problemsInWords(problems: readonly SaidOnce[], isInTitle: boolean): string {
  const named = problems.slice(0, MAX_NAMED);
  const others = problems.slice(MAX_NAMED).flatMap(({ items, alike }) => [...items, ...alike]);
  const steps = [...new Set(named.map(({ step }) => step))];
  return lines(
    ...steps.flatMap((step) => [
      ...named
        .filter((one) => one.step === step)
        .map((one) => placed(one, isInTitle ? '' : `: ${short(one.text)}`)),
      step === '' ? '' : `${short(step)}\n`,
    ]),
    others.length === 0 ? '' : `And ${rowsOf(others.sort((a, b) => a - b))}.\n`,
  );
}

/** How the items go out that nothing is wrong with. */
const goOnWithOthers = (count: number): string =>
  count === 0
    ? ''
    : `To go on with the other ${count === 1 ? 'item' : `${count} items`}, set On Error in the settings of this node to Continue.`;

/** What can't be done, in words. */
const doneBy = (operation: Operation): string =>
  ({ write: operation.kind === 'write' ? operation.did : '', read: 'read', work: 'previewed' })[
    operation.kind
  ];

/**
 * The error of a run that stops: what happened, what to do next, and what has been done by then. When
 * nothing was sent, it tells of all items that can't be.
 * @param item the first item that failed
 */
export function stopError(
  node: INode,
  operation: Operation,
  results: ItemOutcomes,
  [item, failure]: FailedItem,
): ReturnType<typeof nodeError> {
  const failures = failuresIn(results);
  const isNothingSent = results.every(
    (result) => result === undefined || (!result.ok && result.failure.certainty === 'notSent'),
  );
  if (!isNothingSent) {
    const words = operation.kind === 'write' ? describeProgress(operation.did, results) : '';
    const goOn = words !== '' && results.some((result) => result?.ok === true) ? GO_ON : '';
    return nodeError(node, failure, item, lines(goOn, words));
  }
  const rest = sentences(
    'Nothing was sent for any item.',
    goOnWithOthers(results.length - failures.length),
  );
  if (failures.length === 1 || isTool(node)) {
    const row = results.length === 1 ? '' : `It is row ${item + 1} of ${results.length}.`;
    return nodeError(node, failure, item, sentences(row, rest));
  }
  const problems = saidOnce(
    failures.map(([index, { message, description }]) => [index, message, description]),
  );
  const isInTitle = problems.length === 1 && problems[0]?.alike.length === 0;
  const why = isInTitle ? `: ${short(failure.message)}` : '';
  const message = `${failures.length} of ${results.length} items can't be ${doneBy(operation)}${why}`;
  const description = lines(problemsInWords(problems, isInTitle), rest);
  return nodeError(node, { ...failure, description }, item, '', message);
}
