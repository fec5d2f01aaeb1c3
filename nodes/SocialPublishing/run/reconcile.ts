import type { IDataObject } from 'n8n-workflow';

import { nameOf } from '../idempotency/rule';
import {
  CLOCKS_DIFFER_MS,
  created,
  isNear,
  momentOf,
  type OpenPost,
  settle,
} from '../idempotency/settle';
import { inParallel } from '../service/inParallel';
import { failed, type Outcome, succeeded } from '../service/outcome';
import { pause } from '../service/pause';
import { POSTS } from '../service/scheduledPosts';
import { messageOf } from './errors';
import type { Memory } from './memory';
import type { Uncertain } from './openWrites';
import type { Outcomes } from './outcomes';
import { alreadyDone, type WithoutRecord } from './recall';
import { resend } from './sendWrites';
import { isLookedFor } from './sortOut';
import { LIST_LAG_MS, REQUEST_LIFETIME_MS } from './tolerances';
import { notSettledFailure } from './uncertainty';
import type { Wanted, WriteRun } from './wanted';

/** What is looked for, and whether what is missing may be sent. */
export interface Looking {
  readonly toLook: readonly Uncertain[];
  /** What exists, and whose record isn't known. */
  readonly withoutRecord: readonly WithoutRecord[];
  readonly goesOn: boolean;
}

/** What came of looking. */
export interface Looked {
  readonly outcomes: Outcomes;
  /** The items whose post was found by time. */
  readonly found: readonly number[];
}

/** What is looked for in one workspace with one API key. */
interface SoughtGroup {
  readonly open: readonly Uncertain[];
  readonly withoutRecord: readonly WithoutRecord[];
}

/** What the posts of one workspace say about the writes that are looked for. */
interface WorkspaceFindings {
  readonly findings: ReturnType<typeof settle>;
  /** The records of what exists, by item. */
  readonly records: Outcomes;
  readonly quota: { readonly limit?: string };
  /** Why nothing could be learned; `undefined` when nothing went wrong. */
  readonly problem: string | undefined;
}

/** Looks in the service for what may exist, and sends once more what is certainly not there. */
export async function reconcile(
  run: WriteRun,
  { toLook, withoutRecord, goesOn }: Looking,
): Promise<Looked> {
  const { context, operation, settings, memory } = run;
  const outcomes = new Map<number, Outcome<IDataObject>>();
  const found: number[] = [];
  const signal = context.getExecutionCancelSignal();
  const isActive = (): boolean => signal?.aborted !== true;
  const recordless = withoutRecord.filter(({ wanted }) => isLookedFor(operation, wanted));
  for (const group of isActive() ? byWorkspace(toLook, recordless) : []) {
    let said = await look(run, group);
    const missing = (): Uncertain[] =>
      group.open.filter(
        ({ wanted, entry }) =>
          entry !== undefined && said.findings.get(wanted.index)?.kind === 'absent',
      );
    const wait = overAt(missing(), run) - performance.now();
    if (goesOn && missing().length > 0 && wait > 0) {
      await pause(wait, signal);
      if (isActive()) said = await look(run, group);
    }
    const sent = new Map<number, Outcome<IDataObject>>();
    await inParallel(goesOn && isActive() ? missing() : [], settings.concurrency, async (one) => {
      sent.set(one.wanted.index, await resend(run, one));
      return true;
    });
    for (const one of group.open) {
      const { index } = one.wanted;
      const outcome = sent.get(index) ?? settled(one, said, memory);
      if (outcome.ok && !sent.has(index)) found.push(index);
      outcomes.set(index, outcome);
    }
    for (const [index, record] of said.records) outcomes.set(index, record);
  }
  return { outcomes, found };
}

function byWorkspace(
  open: readonly Uncertain[],
  withoutRecord: readonly WithoutRecord[],
): SoughtGroup[] {
  const keyOf = ({ wanted: { intent, service } }: { readonly wanted: Wanted }): string =>
    JSON.stringify([intent.destination, service.credential.apiKey]);
  return [...new Set([...open, ...withoutRecord].map(keyOf))].map((key) => ({
    open: open.filter((one) => keyOf(one) === key),
    withoutRecord: withoutRecord.filter((one) => keyOf(one) === key),
  }));
}

/** When no request of these can be under way any more, by the monotonic clock, in milliseconds. */
function overAt(missing: readonly Uncertain[], { recalledAt }: WriteRun): number {
  // Only a request of this run has an end that is later.
  const ends = missing.map(({ open: { endedAt = 0 } }) =>
    Math.max(recalledAt, performance.now() - (Date.now() - endedAt)),
  );
  return Math.max(...ends) + REQUEST_LIFETIME_MS + LIST_LAG_MS;
}

/** Reads the posts of a workspace and compares them with what may exist there. */
async function look(
  { operation, memory }: WriteRun,
  { open: left, withoutRecord }: SoughtGroup,
): Promise<WorkspaceFindings> {
  const [{ wanted }] = [...left, ...withoutRecord] as [WithoutRecord];
  const { service, asked, intent } = wanted;
  const { workspaceId } = asked.body;
  const nothing = { findings: new Map(), records: new Map(), quota: {} };
  const outcome = await service.readAgain(POSTS, { query: { workspaceId } });
  if (!outcome.ok) return { ...nothing, problem: outcome.failure.message };
  // Another retry may have found out what became of it.
  const [answered] = await Promise.allSettled([
    memory.log?.answered(left.flatMap(({ entry }) => entry ?? [])),
  ]);
  if (answered.status === 'rejected') {
    return { ...nothing, problem: messageOf(answered.reason) };
  }
  const isAnswered = ({ entry }: Uncertain): boolean =>
    entry !== undefined && answered.value?.has(nameOf(entry)) === true;
  const open = left.filter((one) => !isAnswered(one));
  const { value: posts, quota, complete } = outcome;
  const { clock } = service;
  const momentFor = ({ open: { scheduledAt = '' } }: Uncertain): number => Date.parse(scheduledAt);
  const near = posts.filter((post) => open.some((one) => isNear(post, momentFor(one))));
  const ourTime = (post: IDataObject): number => created(post) - (clock.earliest(0) ?? 0);
  const [known] = await Promise.allSettled([
    Promise.all([
      memory.log?.ofNode.made(near.map(({ id }) => ({ ...intent, id }))),
      memory.log?.sends(near.map(ourTime), REQUEST_LIFETIME_MS, CLOCKS_DIFFER_MS),
    ]),
  ]);
  if (known.status === 'rejected') return { ...nothing, quota, problem: messageOf(known.reason) };
  const [made = new Set(), sends = []] = known.value;
  const openPosts = open.map((one): OpenPost => {
    const { sentAt, endedAt } = one.open;
    const moment = momentFor(one);
    // Of an earlier try, only the log knows when it sent something.
    const then = sends.filter((send) =>
      near.some((post) => momentOf(post) === moment && ourTime(post) === send.near),
    );
    const since = sentAt ?? Math.min(...then.map(({ from }) => from));
    const until = endedAt ?? sentAt ?? Math.max(...then.map(({ to }) => to));
    const latest = clock.latest(until);
    return {
      item: one.wanted.index,
      moment: Number.isNaN(moment) ? undefined : moment,
      since: Number.isFinite(since) ? clock.earliest(since) : undefined,
      until:
        Number.isFinite(until) && latest !== undefined ? latest + REQUEST_LIFETIME_MS : undefined,
      isFixed: one.entry !== undefined && one.wanted.intent.moment !== undefined,
    };
  });
  // What was created when the execution sent nothing is not its own.
  const isOfOthers = (post: IDataObject): boolean =>
    !sends.some((send) => send.near === ourTime(post)) &&
    open.every((one) => one.open.sentAt === undefined || momentFor(one) !== momentOf(post));
  const others = near.filter(isOfOthers).map(({ id }) => id);
  const own = memory.results
    .at(intent.destination)
    .flatMap((one) => (one.state === 'done' && one.record !== undefined ? [one.record.id] : []));
  const now = Date.now();
  const findings = settle(openPosts, {
    workspaceId,
    posts,
    isComplete: complete === true,
    accounted: new Set([...own, ...made, ...others, ...(memory.log?.found ?? [])]),
    now: Math.max(now, clock.latest(now) ?? 0),
  });
  const records = new Map<number, Outcome<IDataObject>>();
  for (const one of withoutRecord) {
    const record = await recordOf(one, posts, memory);
    if (record !== undefined) records.set(one.wanted.index, succeeded(record, quota));
  }
  for (const one of left.filter(isAnswered)) {
    const { index } = one.wanted;
    const record = await recordOf({ wanted: one.wanted, entry: one.entry! }, posts, memory);
    records.set(index, succeeded(record ?? alreadyDone(operation, one.wanted), quota));
  }
  return { findings, records, quota, problem: undefined };
}

/** How many posts are compared with what the log has of one item: those that were created last. */
const MAX_COMPARED = 1000;

/** The post that was created for an item, as the log has it; `undefined` where it can't be told. */
async function recordOf(
  { wanted: { intent }, entry }: WithoutRecord,
  posts: readonly IDataObject[],
  { log, results }: Memory,
): Promise<IDataObject | undefined> {
  const { moment } = intent;
  const possible = posts
    .filter((post) => moment === undefined || momentOf(post) === moment)
    .slice(-MAX_COMPARED);
  const [same] = await Promise.allSettled([
    log?.ofNode.same(possible.map(({ id }) => ({ ...intent, id }))),
  ]);
  const taken = new Set(
    results
      .at(intent.destination)
      .flatMap((one) => (one.state === 'done' && one.record !== undefined ? [one.record.id] : [])),
  );
  const record =
    same.status === 'fulfilled'
      ? possible.find(({ id }) => same.value?.has(id) === true && !taken.has(id))
      : undefined;
  if (record !== undefined) results.keep(intent, entry, { state: 'done', record, quota: {} });
  return structuredClone(record);
}

/** What became of what was looked for: its post is its result, or it stays open. */
function settled(
  { wanted, open, entry }: Uncertain,
  { findings, quota, problem }: WorkspaceFindings,
  { log, results }: Memory,
): Outcome<IDataObject> {
  const finding = findings.get(wanted.index);
  if (finding?.kind === 'found') {
    const { post: record } = finding;
    const found = entry ?? log?.find(wanted.intent, record.id);
    if (found !== undefined) results.keep(wanted.intent, found, { state: 'done', record, quota });
    if (entry !== undefined) log?.end(entry, 'done', record.id);
    return succeeded(structuredClone(record), quota);
  }
  const candidates = finding?.kind === 'unclear' ? finding.posts.map(({ id }) => id) : [];
  const reason = finding?.kind === 'unclear' ? finding.why : 'notThereYet';
  const why = problem === undefined ? reason : { problem };
  return failed(notSettledFailure(open.message, why, { ...open, candidates }));
}
