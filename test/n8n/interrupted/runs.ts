import type { N8nInstance } from '../../../scripts/n8n/instance';
import type { Execution } from '../../../scripts/n8n/rest';
import { type Posting, type StartedRun, textOf, type Told, toldBy } from './posting';

/** What one retry said and did. */
export interface Retry {
  readonly name: string;
  readonly told: Told;
  /** How many posts the node put out as created. */
  readonly returned: number;
  /** How many of these were found by looking. */
  readonly settled: number;
  /** How many requests to create a post went out. */
  readonly sent: number;
  /** How many posts are left to a person. */
  readonly held: number;
  /** How many texts the service has twice by then. */
  readonly doubled: number;
}

/** The numbers of the items in words such as `item 0, 2 to 5`. */
function countItems(words: string): number {
  return words.split(', ').reduce((count, span) => {
    const [, from, to = from] = /(\d+)(?: to (\d+))?$/.exec(span) ?? [];
    return from === undefined ? count : count + Number(to) - Number(from) + 1;
  }, 0);
}

const settledBy = ({ hints }: Told): number =>
  hints.reduce((count, hint) => {
    const [, items] = /^Rows? (.*?) w(?:as|ere) found in the service/.exec(hint) ?? [];
    return items === undefined ? count : count + countItems(items);
  }, 0);

/** How many posts an execution leaves to a person. */
export function heldBy({ error, failures }: Told): number {
  const [, items] =
    /May or may not have been created: item ([^.]*)\./.exec(error?.description ?? '') ?? [];
  return items === undefined ? failures.length : countItems(items);
}

/** How many requests have asked the service for posts of this run. */
function requestsOf({ workflow, posts }: StartedRun): number {
  const texts = new Set(posts.map((post) => JSON.stringify(textOf(post))));
  return workflow.sandbox.requests.filter(({ method, body }) => {
    const [text = ''] = /"Post \d+ of [^"]*"/.exec(body.toString('utf8')) ?? [];
    return method === 'POST' && texts.has(text);
  }).length;
}

/** Retries an execution as the user does, and counts what comes of it. */
async function retry(
  n8n: N8nInstance,
  run: StartedRun,
  name: string,
  id: string,
): Promise<{ execution: Execution; retry: Retry }> {
  const before = requestsOf(run);
  const execution = await n8n.api.retryExecution(id);
  const told = toldBy(execution);
  return {
    execution,
    retry: {
      name,
      told,
      returned: told.records.length,
      settled: settledBy(told),
      sent: requestsOf(run) - before,
      held: heldBy(told),
      doubled: run.workflow.doubled(),
    },
  };
}

/** Retries an interrupted execution twice, and then the first of these retries. */
export async function retryAll(n8n: N8nInstance, run: StartedRun): Promise<Retry[]> {
  const first = await retry(n8n, run, 'Retry', run.id);
  const second = await retry(n8n, run, 'second Retry', run.id);
  // After a Stop, n8n may mark what has come to its end as failed.
  if (first.execution.finished) return [first.retry, second.retry];
  const again = await retry(n8n, run, 'Retry of the Retry', first.execution.id);
  return [first.retry, second.retry, again.retry];
}

export const nameOf = ({
  times,
  variants,
  uncertain = 'hold',
  loopOf,
  workflowSettings,
}: Posting): string =>
  [
    `${times} times`,
    variants,
    uncertain,
    ...(loopOf === undefined ? [] : [`loop of ${loopOf}`]),
    ...(workflowSettings?.saveExecutionProgress === true ? ['progress saved'] : []),
  ].join(', ');

/** Whether looking must settle every post, as each has a time of its own. */
export const isSettledByLooking = ({ times, uncertain }: Posting): boolean =>
  times === 'fixed' && uncertain === 'look';

/** One line of figures for a retry. */
export const lineOf = ({ name, returned, settled, sent, held, doubled }: Retry): string =>
  `${name}: ${returned} returned, ${settled} of them settled, ${sent} sent, ${held} held, ${doubled} doubled`;
