import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { GRAINS } from '../idempotency/intent';
import { type Finding, type OpenPost, settle } from '../idempotency/settle';
import { CLOCK_SKEW_MS, LEASE_MS, REQUEST_LIFETIME_MS } from '../idempotency/tolerances';
import { inParallel } from '../service/inParallel';
import { failed, type Outcome, type Quota, succeeded } from '../service/outcome';
import { pause } from '../service/pause';
import { POSTS } from '../service/scheduledPosts';
import { messageOf } from './errors';
import type { Memory } from './memory';
import type { Uncertain } from './openWrites';
import type { Outcomes } from './report';
import { resend } from './sendWrites';
import { notSettledFailure } from './uncertainty';
import { aboutOf, type WriteRun } from './wanted';

/** What is looked for, and whether what is missing may be sent. */
export interface Looking {
  readonly toLook: readonly Uncertain[];
  readonly goesOn: boolean;
  /** When an earlier try may have committed something last, in Unix milliseconds; 0 for none. */
  readonly lastCommit: number;
}

/** What came of looking. */
export interface Looked {
  readonly outcomes: Outcomes;
  /** The items whose post was found. */
  readonly found: readonly number[];
}

/** What the posts of one workspace say about the writes that are looked for. */
interface WorkspaceFindings {
  readonly findings: ReadonlyMap<number, Finding>;
  readonly quota: Quota;
  /** Why nothing could be learned; `undefined` when nothing went wrong. */
  readonly problem: string | undefined;
}

/**
 * When an earlier try may have committed something last, before this one does.
 *
 * @returns Unix milliseconds; 0 when it was too long ago to matter
 */
export async function lastCommitBefore({ name, log, mayBeRetry }: Memory): Promise<number> {
  const now = Date.now();
  if (name === 'lost') return now;
  if (log === undefined || !mayBeRetry) return 0;
  const [last] = await Promise.allSettled([log.lastCommit(now, LEASE_MS + REQUEST_LIFETIME_MS)]);
  return last.status === 'fulfilled' ? last.value : now;
}

/** Looks in the service for what may exist, and sends once more what is certainly not there. */
export async function reconcile(
  run: WriteRun,
  { toLook, goesOn, lastCommit }: Looking,
): Promise<Looked> {
  const { context, settings, memory } = run;
  const outcomes = new Map<number, Outcome<IDataObject>>();
  const found: number[] = [];
  const signal = context.getExecutionCancelSignal();
  const isActive = (): boolean => signal?.aborted !== true;
  for (const group of isActive() ? byWorkspace(toLook) : []) {
    let said = await look(context, group, memory);
    const missing = (): Uncertain[] =>
      group.filter(
        ({ wanted, entry }) =>
          entry !== undefined && said.findings.get(wanted.index)?.kind === 'absent',
      );
    const wait = overAt(missing(), lastCommit) - Date.now();
    if (goesOn && missing().length > 0 && wait > 0) {
      await pause(wait, signal);
      if (isActive()) said = await look(context, group, memory);
    }
    const sent = new Map<number, Outcome<IDataObject>>();
    await inParallel(goesOn && isActive() ? missing() : [], settings.concurrency, async (one) => {
      sent.set(one.wanted.index, await resend(run, one));
      return true;
    });
    for (const one of group) {
      const { index } = one.wanted;
      const outcome = sent.get(index) ?? (await settled(one, said, memory));
      if (outcome.ok && !sent.has(index)) found.push(index);
      outcomes.set(index, outcome);
    }
  }
  return { outcomes, found };
}

function byWorkspace(uncertain: readonly Uncertain[]): Uncertain[][] {
  const groups = new Map<string, Uncertain[]>();
  for (const one of uncertain) {
    const { intent, service } = one.wanted;
    const key = JSON.stringify([intent.destination, service.credential.apiKey]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** When no request of these can be under way any more, in Unix milliseconds. */
const overAt = (missing: readonly Uncertain[], lastCommit: number): number =>
  Math.max(
    lastCommit === 0 ? 0 : lastCommit + LEASE_MS + REQUEST_LIFETIME_MS,
    ...missing.map(({ open: { endedAt } }) =>
      endedAt === undefined ? 0 : endedAt + REQUEST_LIFETIME_MS,
    ),
  );

/** Reads the posts of a workspace and compares them with what may exist there. */
async function look(
  context: IExecuteFunctions,
  group: readonly Uncertain[],
  memory: Memory,
): Promise<WorkspaceFindings> {
  const [{ wanted }] = group as [Uncertain];
  const { service, asked, intent } = wanted;
  const { workspaceId } = asked.body;
  const outcome = await service.readAgain(POSTS, { query: { workspaceId } });
  if (!outcome.ok) return { findings: new Map(), quota: {}, problem: outcome.failure.message };
  const [shared] = await Promise.allSettled([
    memory.log?.shared(group.map((one) => one.wanted.intent)),
  ]);
  if (shared.status === 'rejected') {
    return { findings: new Map(), quota: outcome.quota, problem: messageOf(shared.reason) };
  }
  const earliest = (at: number | undefined): number | undefined =>
    at === undefined ? undefined : service.clock.earliest(at - CLOCK_SKEW_MS);
  const startedAt = startOf(context);
  const open = group.map(({ wanted: one, open: { sentAt, scheduledAt }, entry }): OpenPost => {
    const moment = scheduledAt === undefined ? NaN : Date.parse(scheduledAt);
    return {
      item: one.index,
      moment: Number.isNaN(moment) ? undefined : moment,
      since: earliest(sentAt ?? startedAt),
      isFixed: entry !== undefined,
      isShared: shared.value?.has(one.index) === true,
    };
  });
  const adopted = new Set(group.map((one) => one.adopted));
  const items = new Set(group.map((one) => one.wanted.index));
  const others = memory.results
    .at(intent.destination)
    .filter((result) => !adopted.has(result))
    .filter((result) => !(memory.results.isOwn(result) && items.has(result.item)));
  const findings = settle(open, {
    workspaceId,
    posts: outcome.value,
    isComplete: outcome.complete === true,
    accounted: new Set(others.flatMap((one) => (one.state === 'done' ? [one.record.id] : []))),
    openMoments: new Set(
      others.flatMap((one) =>
        one.state === 'open' && one.scheduledAt !== undefined ? [Date.parse(one.scheduledAt)] : [],
      ),
    ),
    startedAt: earliest(startedAt),
    now: Math.max(Date.now(), service.clock.earliest(Date.now()) ?? 0) + CLOCK_SKEW_MS,
  });
  return { findings, quota: outcome.quota, problem: undefined };
}

/**
 * When the execution started that this run belongs to; for a retry, the execution that is retried.
 *
 * @returns Unix milliseconds; `undefined` where n8n tells only when the retry started
 */
function startOf(context: Partial<IExecuteFunctions>): number | undefined {
  const { establishedAt, source } = context.getExecutionContext?.() ?? {};
  return source === 'retry' ? undefined : establishedAt;
}

/** What became of what was looked for: its post is its result, or it stays open. */
async function settled(
  { wanted, open, entry, adopted }: Uncertain,
  { findings, quota, problem }: WorkspaceFindings,
  { log, results }: Memory,
): Promise<Outcome<IDataObject>> {
  const finding = findings.get(wanted.index);
  const { number = 0, attempts = 0 } = entry ?? {};
  if (finding?.kind === 'found') {
    const { id } = finding.post;
    const [taken] = await Promise.allSettled([log?.take(wanted.intent, number, id)]);
    if (taken.status === 'fulfilled' && taken.value !== false) {
      const grains = adopted === undefined ? GRAINS : [];
      results.keep(aboutOf(wanted, number, attempts, grains), {
        state: 'done',
        record: finding.post,
        quota,
      });
      return succeeded(structuredClone(finding.post), quota);
    }
    const why =
      taken.status === 'rejected' ? { problem: messageOf(taken.reason) } : 'otherExecution';
    return failed(notSettledFailure(open.message, why, { ...open, candidates: [id] }));
  }
  const candidates = finding?.kind === 'unclear' ? finding.posts.map(({ id }) => id) : [];
  const reason = finding?.kind === 'unclear' ? finding.why : 'notThereYet';
  const why = problem === undefined ? reason : { problem };
  return failed(notSettledFailure(open.message, why, { ...open, candidates }));
}
