import { setTimeout as pause } from 'node:timers/promises';

import type { IDataObject, INode, INodeParameters, IRun } from 'n8n-workflow';

import { operations } from '../../../nodes/SocialPublishing/operations';
import { describeProgress } from '../../../nodes/SocialPublishing/run/stopped';
import { heldFailure } from '../../../nodes/SocialPublishing/run/uncertainty';
import type { Certainty } from '../../../nodes/SocialPublishing/service/certainty';
import {
  failed,
  type Failure,
  type Outcome,
  succeeded,
} from '../../../nodes/SocialPublishing/service/outcome';
import type { Sandbox } from '../../../sandbox';
import type { RunOptions, WorkflowFixture } from '../harness';
import { inARow, items, nodesEnd, readWorkflow, withNode, withParameters } from '../harness';

/** The node of the workflow that `creatingPosts` makes. */
export const CREATE = 'Create post';

/** A workflow that creates a post with the text of each item, on account 1. */
export const creatingPosts = (
  settings: Partial<INode> = {},
  options: INodeParameters = {},
): WorkflowFixture =>
  withNode(
    withParameters({ ...readWorkflow('post.create'), settings: { timezone: 'UTC' } }, CREATE, {
      content: '={{ $json.text }}',
      mediaUrls: '',
      accounts: [1],
      scheduledAt: '2035-01-01T00:00:00.000Z',
      overrides: {},
      options,
    }),
    CREATE,
    settings,
  );

/** The same, each post with a minute of its own. */
export const atOwnTimes = (
  settings: Partial<INode> = {},
  options: INodeParameters = {},
): WorkflowFixture =>
  withParameters(creatingPosts(settings, options), CREATE, {
    scheduledAt: '={{ new Date(Date.UTC(2035, 0, 1) + 60000 * $itemIndex).toISOString() }}',
  });

/** An option for creations whose order is certain. */
export const oneAfterTheOther: INodeParameters = { concurrency: 1 };

/** The text of the post that item `item` asks for; no other item asks for the same. */
export const textOf = (item: number): string => `Post of item ${item}`;

/** Items that ask for a post each. */
export const posts = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, item) => ({ text: textOf(item) }));

/** The texts of the posts that exist at the service, in the order of their creation. */
export const existing = ({ store }: Sandbox): string[] =>
  store.posts.map(({ variants }) => variants.map(({ content }) => content).join());

/** The ids of what exists for an item: of the posts with its text, or of the agents when it saves one. */
const idsOf = ({ store }: Sandbox, nodeName: string, item: number): number[] =>
  nodeName === CREATE
    ? store.posts
        .filter(({ variants }) => variants[0]?.content === textOf(item))
        .map(({ id }) => id)
    : store.agents.map(({ id }) => id);

/** What is said of a post that an earlier try may have created. */
export const held = (kind: 'leftOpen' | 'otherWords'): Failure =>
  heldFailure({ kind }, { lookedFor: 'moment', noun: 'post' });

/** What the node says of each item. */
export interface Claims {
  /** The ids of the posts it says it created, by item. */
  readonly created: ReadonlyMap<number, unknown>;
  readonly uncertain: readonly number[];
  readonly notCreated: readonly number[];
}

const failedAs = (certainty: Certainty): Outcome<never> =>
  failed({ code: '', message: '', description: '', certainty });

/** What an error says before it lists the items that an operation has written, left open, or not written. */
const heads = [
  ...new Set(operations.flatMap((one) => (one.kind === 'write' ? [one.did] : []))),
].map((did) =>
  [succeeded([{ id: 1 }], {}), failedAs('uncertain'), failedAs('notSent')].map(
    (outcome) => describeProgress(did, [outcome]).split('0')[0]!,
  ),
);

/** The numbers of each entry that an error lists after a head: `1, 3 to 5` is `[[1], [3, 5]]`. */
const listedAfter = (head: string, description: string): number[][] =>
  (description.split(head)[1]?.split('.')[0] ?? '')
    .split(', ')
    .map((entry) => (entry.match(/\d+/g) ?? []).map(Number))
    .filter((numbers) => numbers.length > 0);

const spanned = (entries: number[][]): number[] =>
  entries.flatMap(([from = 0, to = from]) =>
    Array.from({ length: to - from + 1 }, (_, n) => from + n),
  );

function claimsOfError(description: string): Claims {
  const listed = (kind: number) =>
    heads.flatMap((ofOperation) => listedAfter(ofOperation[kind]!, description));
  return {
    created: new Map(listed(0).map(([item = NaN, id]) => [item, id])),
    uncertain: spanned(listed(1)),
    notCreated: spanned(listed(2)),
  };
}

function claimsOfOutput(run: IRun, nodeName: string): Claims {
  const output = items(run, nodeName).map(({ json, pairedItem }) => ({
    item: (pairedItem as { item: number }).item,
    id: json.id,
    certainty: (json.details as IDataObject | undefined)?.certainty,
  }));
  const itemsThat = (fits: (certainty: unknown) => boolean) =>
    output.filter(({ certainty }) => fits(certainty)).map(({ item }) => item);
  return {
    created: new Map(
      output.filter(({ certainty }) => certainty === undefined).map(({ item, id }) => [item, id]),
    ),
    uncertain: itemsThat((certainty) => certainty === 'uncertain'),
    notCreated: itemsThat((certainty) => certainty === 'notSent' || certainty === 'refused'),
  };
}

/** What the node says of each item: in its error when it failed, else in its output. */
export function claimsOf(run: IRun, nodeName: string): Claims {
  const error = run.data.resultData.runData[nodeName]?.at(-1)?.error;
  return error === undefined
    ? claimsOfOutput(run, nodeName)
    : claimsOfError(error.description ?? '');
}

/**
 * What the node says of `count` posts, beside what exists at the service.
 *
 * @returns a line for each thing that is not as it must be: every item is either created, and then
 * exists once under the id that was told; or uncertain, and then exists at most once; or not created
 */
export function falseClaims(
  run: IRun,
  nodeName: string,
  sandbox: Sandbox,
  count: number,
): string[] {
  const { created, uncertain, notCreated } = claimsOf(run, nodeName);
  return Array.from({ length: count }, (_, item) => {
    const ids = idsOf(sandbox, nodeName, item);
    const claims = [
      ...(created.has(item) ? [`created as ${String(created.get(item))}`] : []),
      ...(uncertain.includes(item) ? ['uncertain'] : []),
      ...(notCreated.includes(item) ? ['not created'] : []),
    ];
    const isTrue =
      claims.length === 1 &&
      ids.length <= 1 &&
      (!created.has(item) || ids[0] === created.get(item)) &&
      (!notCreated.includes(item) || ids.length === 0);
    return isTrue
      ? []
      : [
          `item ${item} is told as ${claims.join(' and ') || 'nothing'}, but exists as [${ids.join()}]`,
        ];
  }).flat();
}

/**
 * Stops an execution when the service has created so many posts. None of those that follow is created
 * before the stop, and each whose request has arrived by then is created after it.
 *
 * @param after a number of posts, from 1
 */
export async function stopWhen(
  { store, faults }: Sandbox,
  after: number,
  start: (options: RunOptions) => Promise<IRun>,
): Promise<IRun> {
  const before = store.posts.length;
  const all = faults.add({ kind: 'latency', ms: 15, method: 'POST' });
  // The stop comes long before these are carried out, however slow the machine is: both wait for the
  // same event loop.
  const later = faults.add({ kind: 'latency', ms: 150, method: 'POST', after });
  const stop = new AbortController();
  const running = start({ signal: stop.signal });
  while (store.posts.length < before + after) await pause(1);
  stop.abort();
  const ended = await running;
  await nodesEnd();
  // A request that was written before the stop arrives some turns of the event loop later.
  for (let quiet = 0, seen = -1; quiet < 30; seen = all.matched) {
    await pause(1);
    quiet = all.matched === seen && store.posts.length >= before + seen ? quiet + 1 : 0;
  }
  faults.remove(later.id);
  faults.remove(all.id);
  return ended;
}

/** A workflow that creates each post in a round of its own. */
export const loopOf = (create: WorkflowFixture): WorkflowFixture => {
  const one = { node: CREATE, type: 'main', index: 0 } as const;
  const loop = inARow(
    { name: 'Start', type: 'test-nodes.start' },
    { name: 'Loop', type: 'test-nodes.loop' },
    ...create.nodes.filter(({ name }) => name === CREATE),
  );
  return {
    ...loop,
    connections: {
      ...loop.connections,
      Loop: { main: [[], [one]] },
      [CREATE]: { main: [[{ ...one, node: 'Loop' }]] },
    },
  };
};
