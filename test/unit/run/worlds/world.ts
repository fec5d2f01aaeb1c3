import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import type { Process, Timers } from './process';
import { Row } from './row';
import { Scheduler } from './scheduler';

/** What happens in a world. What a chance is for goes by the world's seed. */
export interface World {
  readonly seed: number;
  /** The shape of the workflow: whether the node stands at the top, and how it is called. */
  readonly shape:
    | 'top'
    | 'loop'
    | 'once'
    | 'each'
    | 'nestOnce'
    | 'nestEach'
    | 'loopOnce'
    | 'loopEach'
    | 'loopNest'
    | 'notAwaited'
    | 'notAwaitedEach';
  readonly items: number;
  readonly processes: number;
  readonly concurrency: number;
  /** Retry On Fail of the node, of the node that calls, and of the one that calls that. */
  readonly retryNode: boolean;
  readonly retryCall: boolean;
  readonly retryOuterCall: boolean;
  /** Whether the calling node continues when a round fails. */
  readonly continues: boolean;
  readonly savesSuccess: boolean;
  readonly savesFailure: boolean;
  /** Whether sub-workflows may fail after the node. */
  readonly failsLate: boolean;
  /** What is another on each try: texts before the call, or inside; media; the time; the items. */
  readonly textsBefore: boolean;
  readonly textsInside: boolean;
  readonly timeInside: boolean;
  readonly mediaBefore: boolean;
  readonly itemsBefore: boolean;
  /** How many items say the same: none, all of every second, or those of one text. */
  readonly same: 'none' | 'text' | 'all';
  readonly publishNow: boolean;
  /** Whether n8n drops old keys, and other executions write more. */
  readonly drops: boolean;
  readonly twins: boolean;
  readonly waits: boolean;
  /** Whether the first try fails before it comes to the node. */
  readonly failsBefore: boolean;
  readonly refused: number;
  readonly lost: number;
  /** How many requests take up to a minute. */
  readonly slow: number;
  readonly killed: number;
  /** After how many tries n8n is restarted. */
  readonly restarted: number;
  /** For how long lists don't show a post. */
  readonly lag: number;
  /** In how many tries n8n's database fails for a while. */
  readonly broken: number;
  readonly uncertain: 'hold' | 'look';
}

const LEVELS: Record<World['shape'], ReadonlyArray<'once' | 'each'>> = {
  top: [],
  loop: [],
  once: ['once'],
  each: ['each'],
  nestOnce: ['once', 'once'],
  nestEach: ['once', 'each'],
  loopOnce: ['once'],
  loopEach: ['each'],
  loopNest: ['once', 'once'],
  notAwaited: ['once'],
  notAwaitedEach: ['each'],
};

/** One row of the sheet, as the node is given it. */
interface SheetRow {
  readonly id: number;
  /** What it truly is: equal rows are wanted as often as they are there. */
  readonly kind: string;
  readonly text: string;
  readonly time: string;
  readonly media: string;
  /** What changed since, without changing what is wanted. */
  readonly changed: string;
}

/** What came of a world. */
export interface Fate {
  readonly doubled: number;
  /** What is missing although the last try succeeded. */
  readonly missing: number;
  /** Items that came back as created, and aren't there. */
  readonly invented: number;
  readonly succeeded: boolean;
  readonly held: Record<string, number>;
  readonly returned: number;
  readonly created: number;
}

class Failed extends Error {}

/** A random sequence (mulberry32). */
function randomOf(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Where a retry of the root execution begins. */
interface RootState {
  readonly items: readonly SheetRow[];
  readonly round: number;
  readonly flow: IDataObject;
  readonly kept: readonly string[];
  /** Whether the nodes before it run again. */
  readonly fromTheStart: boolean;
}

/** The IDs of executions, their data in n8n's database, and the service. */
export async function live(
  world: World,
  processes: readonly Process[],
  timers: Timers,
): Promise<Fate> {
  const random = randomOf(world.seed);
  const chance = (probability: number): boolean => random() < probability;
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const between = (from: number, to: number): number => from + random() * (to - from);
  const scheduler = new Scheduler();
  timers.sleep = async (milliseconds) => {
    await scheduler.wait(milliseconds);
  };
  for (const one of processes) one.restart();
  const isQueue = world.processes > 1;
  const row = new Row(scheduler, world.drops ? 60 + Math.floor(random() * 20) : Infinity, () =>
    isQueue ? (chance(0.03) ? between(50, 600) : between(2, 20)) : 0,
  );
  const levels = LEVELS[world.shape];
  const isLoop = world.shape.startsWith('loop');
  const isAwaited = !world.shape.startsWith('notAwaited');
  const posts: IDataObject[] = [];
  const createdAt: number[] = [];
  const created = new Map<string, number>();
  const wanted = new Map<string, Set<number>>();
  const saved = new Map<string, IRunExecutionData>();
  const held: Record<string, number> = {};
  const refusedRows = new Set<number>();
  const claimed: SheetRow[] = [];
  let ids = 0;
  let rows = 0;
  let returned = 0;
  const newRow = (): SheetRow => {
    const id = ++rows;
    const mod = (n: number): number => id % n;
    const text = {
      none: `text ${id}`,
      all: `text ${mod(2)}`,
      text: `text ${Math.floor(random() * 2)}`,
    }[world.same];
    const time = world.publishNow ? 'now' : world.same === 'all' ? `day ${mod(2)}` : `day ${id}`;
    const media = world.same === 'all' ? `media ${mod(2)}` : chance(0.3) ? `media ${id}` : '';
    const kind = [text, time, media].join('|');
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
    return { id, kind, text, time, media, changed: '' };
  };
  let sheet = Array.from({ length: world.items }, newRow);
  const batch = isLoop ? 1 + Math.floor(random() * 2) : Infinity;
  /** What the nodes before the call give when they run again. */
  const again = (items: readonly SheetRow[]): SheetRow[] => {
    const next = [...items];
    if (world.itemsBefore) {
      const what = pick('front', 'front', 'remove', 'reorder', 'none');
      if (what === 'front') next.unshift(newRow());
      if (what === 'remove' && next.length > 1) next.splice(Math.floor(random() * next.length), 1);
      if (what === 'reorder') next.reverse();
    }
    const mark = `~${++ids}`;
    const changes =
      (world.textsBefore ? `text${mark}` : '') + (world.mediaBefore ? `media${mark}` : '');
    return next.map((one) => ({ ...one, changed: one.changed + changes }));
  };
  const create = (one: SheetRow, time: string): IDataObject => {
    created.set(one.kind, (created.get(one.kind) ?? 0) + 1);
    const post = {
      id: posts.length + 1,
      workspaceId: 1,
      status: 'scheduled',
      scheduledAt: time,
      createdAt: new Date().toISOString(),
    };
    posts.push(post);
    createdAt.push(scheduler.now);
    return post;
  };

  /** What one try of the root execution may meet. */
  interface Luck {
    readonly refused: number;
    readonly lost: number;
    /** After how many requests n8n dies or the execution is stopped. */
    left: number;
    readonly end: 'kill' | 'stop';
    readonly isCalm: boolean;
    /** What happens beside it. */
    twin: (() => void) | undefined;
  }

  /** One call of the node. */
  async function callNode(
    process: Process,
    luck: Luck,
    call: {
      id: string;
      isRetry: boolean;
      parent: string | undefined;
      flow: IDataObject;
      token: string;
      run: number;
    },
    items: readonly SheetRow[],
  ): Promise<void> {
    const alive = process.lease();
    const step = async (milliseconds: number): Promise<void> => {
      await scheduler.wait(milliseconds);
      await alive();
    };
    const inside = ++ids;
    const stop = new AbortController();
    const context = {
      getNode: () => ({
        id: 'create',
        name: 'Create',
        type: 'test.socialPublishing',
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
      }),
      getWorkflow: () => ({ id: 'workflow', name: 'Workflow', active: true }),
      getMode: () =>
        call.parent !== undefined ? 'integrated' : call.isRetry ? 'retry' : 'trigger',
      getExecutionId: () => call.id,
      getExecutionContext: () =>
        call.parent === undefined
          ? { version: 1, source: call.isRetry ? 'retry' : 'trigger', establishedAt: 1 }
          : { version: 1, source: 'integrated', establishedAt: 1, parentExecutionId: call.parent },
      getExecutionDataById: async (id: string) => {
        await step(isQueue ? between(2, 19) : 0);
        return structuredClone(saved.get(id));
      },
      getContext: () => call.flow,
      getWorkflowDataProxy: () => ({
        $execution: { resumeUrl: `http://n8n/webhook-waiting/${call.id}?signature=${call.token}` },
        $runIndex: call.run,
      }),
      getExecutionCancelSignal: () => stop.signal,
      continueOnFail: () => false,
      helpers: row.helpers(alive),
    } as unknown as IExecuteFunctions;
    const service = {
      credential: { baseUrl: 'http://service/api/v1', apiKey: 'key' },
      clock: { earliest: (at?: number) => at, latest: (at: number) => at },
      stop: () => undefined,
      resume: () => undefined,
      readAgain: async () => {
        await step(1);
        const shown = posts.filter((_, index) => scheduler.now >= createdAt[index]! + world.lag);
        return { ok: true, value: structuredClone(shown), quota: {}, complete: true };
      },
      write: async (_endpoint: unknown, body: IDataObject, guard: () => Promise<unknown>) => {
        await guard();
        const one = items[body.index as number]!;
        const time = body.scheduledAt as string;
        if (luck.left-- <= 0) {
          if (chance(0.5)) create(one, time);
          if (luck.end === 'kill') process.die();
          else stop.abort();
          if (luck.end === 'kill') await alive();
          return failure('uncertain', 'stopped');
        }
        const isSlow = world.slow > 0 && chance(world.slow);
        await step(isSlow ? between(1000, 60_000) : isQueue ? between(20, 200) : 1);
        if (stop.signal.aborted) return failure('uncertain', 'stopped');
        if (refusedRows.has(one.id) || chance(luck.refused)) {
          refusedRows.add(one.id);
          if (chance(0.6)) refusedRows.delete(one.id);
          return failure('refused', 'refused');
        }
        if (chance(luck.lost)) {
          if (chance(0.6)) create(one, time);
          return failure('uncertain', 'lost');
        }
        return { ok: true, value: structuredClone(create(one, time)), quota: {} };
      },
    };
    const report = await process.write(
      context,
      items.map((one, index) => {
        const changed = one.changed + (world.textsInside ? `text^${inside}` : '');
        const day = new Date(
          Date.UTC(2035, 0, 1) + 3_600_000 * (Number(/\d+/.exec(one.time)?.[0] ?? 0) * 24),
        ).toISOString();
        const moved = world.timeInside && !world.publishNow ? `time^${inside}` : '';
        return {
          index,
          uncertain: world.uncertain,
          body: {
            workspaceId: 1,
            scheduledAt: world.publishNow ? new Date().toISOString() : day,
            index,
          },
          identity: {
            full: [one.text, one.time + moved, one.media, changed],
            moment: world.publishNow || moved !== '' ? undefined : Date.parse(day),
          },
          service,
        };
      }),
      world.concurrency,
    );
    await alive();
    const twin = luck.twin;
    luck.twin = undefined;
    twin?.();
    for (const [index, { outcome, whence }] of report.entries()) {
      if (outcome?.ok === true) {
        claimed.push(items[index]!);
        if (whence === 'earlier') returned++;
      } else if (outcome !== undefined)
        held[outcome.failure.code] = (held[outcome.failure.code] ?? 0) + 1;
    }
    if (stop.signal.aborted) throw new Stopped();
    if (report.some(({ outcome }) => outcome?.ok !== true)) throw new Failed();
  }

  class Stopped extends Error {}

  const failure = (certainty: string, code: string) => ({
    ok: false,
    failure: { code, message: code, description: '', certainty, concernsItemAlone: true },
  });

  /** Saves what n8n has of an execution that begins. */
  const begin = (id: string, token: string, items: readonly SheetRow[], more: object): void => {
    saved.set(id, {
      resumeToken: token,
      resultData: { runData: {} },
      executionData: {
        contextData: {},
        nodeExecutionStack: [{ data: { main: [items.map((json) => ({ json }))] } }],
      },
      ...more,
    } as unknown as IRunExecutionData);
  };

  const namedBy = (subs: readonly string[]) => ({
    Call: subs.map((executionId) => ({
      metadata: { subExecution: { executionId, workflowId: 'sub' } },
    })),
  });

  /** Saves what n8n has of an execution that ended. */
  const end = (
    id: string,
    flow: IDataObject,
    subs: readonly string[],
    hasFailed: boolean,
  ): void => {
    const data = saved.get(id)!;
    if (!(hasFailed ? world.savesFailure : world.savesSuccess)) {
      saved.delete(id);
      return;
    }
    saved.set(id, {
      ...data,
      resultData: { runData: namedBy(subs), ...(hasFailed && { error: { message: 'failed' } }) },
      executionData: {
        ...data.executionData,
        contextData: { flow: structuredClone(flow) },
        nodeExecutionStack: hasFailed ? data.executionData!.nodeExecutionStack : [],
      },
    } as unknown as IRunExecutionData);
  };

  /** Runs a node, and once more if it fails and is set to. */
  async function withRetryOnFail<T>(isSet: boolean, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isSet || !(error instanceof Failed)) throw error;
      return await run();
    }
  }

  /** Calls a sub-workflow, in its mode, down to the node. @returns the IDs of the calls */
  async function callSub(
    process: Process,
    luck: Luck,
    parent: string,
    depth: number,
    items: readonly SheetRow[],
  ): Promise<string[]> {
    const alive = process.lease();
    const doesRetry = depth === 0 ? world.retryCall : world.retryOuterCall;
    return await withRetryOnFail(doesRetry, async () => {
      const calls: string[] = [];
      for (const part of levels[depth] === 'each' ? items.map((one) => [one]) : [items]) {
        if (!isAwaited && !luck.isCalm && chance(0.06)) throw new Failed();
        const id = String(++ids);
        const token = `token ${id}`;
        calls.push(id);
        const mark = depth === 0 && levels.length > 1 && world.textsInside ? `text+${++ids}` : '';
        const given = part.map((one) => ({ ...one, changed: one.changed + mark }));
        begin(id, token, part, {
          parentExecution: { executionId: parent, workflowId: 'w', shouldResume: isAwaited },
        });
        const flow: IDataObject = {};
        const body = async (): Promise<void> => {
          const inner: string[] = [];
          try {
            if (depth + 1 < levels.length)
              inner.push(...(await callSub(process, luck, id, depth + 1, given)));
            else
              await withRetryOnFail(world.retryNode, async () =>
                callNode(process, luck, { id, isRetry: false, parent, flow, token, run: 0 }, given),
              );
            if (world.failsLate && !luck.isCalm && chance(0.25)) throw new Failed();
            await alive();
            end(id, flow, inner, false);
          } catch (error) {
            await alive();
            end(id, flow, inner, true);
            throw error;
          }
        };
        if (isAwaited) await body();
        else void body().catch(() => undefined);
      }
      return calls;
    });
  }

  /** Restarts a process once everything in it waits: what goes on would write into its new memory. */
  async function restart(process: Process): Promise<void> {
    await scheduler.wait(0);
    process.restart();
  }

  const rootToken = 'root';
  let skipped = false;

  const drawn = (): Process => processes[Math.floor(random() * world.processes)]!;

  /** One try of the root execution. */
  async function rootTry(
    on: Process,
    from: RootState,
    isRetry: boolean,
    luck: Luck,
  ): Promise<{ how: string; next?: RootState }> {
    let process = on;
    let alive = process.lease();
    const id = String(++ids);
    let flow = structuredClone(from.flow);
    const kept = [...from.kept];
    begin(id, rootToken, from.items, { resultData: { runData: namedBy(kept) } });
    const rounds: SheetRow[][] = [];
    for (let at = 0; at < from.items.length; at += batch)
      rounds.push(from.items.slice(at, at + batch));
    for (let round = from.round; round < rounds.length; round++) {
      try {
        if (levels.length > 0) kept.push(...(await callSub(process, luck, id, 0, rounds[round]!)));
        else
          await withRetryOnFail(world.retryNode, async () =>
            callNode(
              process,
              luck,
              { id, isRetry, parent: undefined, flow, token: rootToken, run: round },
              rounds[round]!,
            ),
          );
        if (!isAwaited) await scheduler.wait(250);
      } catch (error) {
        await alive();
        if (error instanceof Stopped) return { how: 'stopped' };
        if (!(error instanceof Failed)) throw error;
        if (world.continues && round < rounds.length - 1) {
          skipped = true;
          continue;
        }
        return {
          how: 'failed',
          next: {
            items: from.items,
            round,
            flow: structuredClone(flow),
            kept,
            fromTheStart: false,
          },
        };
      }
      if (world.waits && isLoop && chance(0.4)) {
        begin(id, rootToken, from.items, { resultData: { runData: namedBy(kept) } });
        flow = structuredClone(flow);
        // A Retry beside it would die with the process.
        if (chance(0.3) && !world.twins) await restart(process);
        // In queue mode, any process goes on, after a minute at least.
        if (isQueue) await scheduler.wait(60_000);
        if (!world.twins) process = drawn();
        alive = process.lease();
      }
    }
    return { how: 'success' };
  }

  let how = '';
  let state: RootState = { items: sheet, round: 0, flow: {}, kept: [], fromTheStart: true };
  const user = async (): Promise<void> => {
    for (let number = 0; number < 6; number++) {
      const isCalm = number >= 3;
      if (isCalm) refusedRows.clear();
      if (number > 0 && state.fromTheStart) {
        sheet = again(sheet);
        state = { ...state, items: sheet };
      }
      const from = state;
      const luck = (twin?: () => void): Luck => ({
        refused: isCalm ? 0 : world.refused,
        lost: isCalm ? 0 : world.lost,
        left: !isCalm && chance(world.killed) ? Math.floor(random() * 5) : Infinity,
        end: pick('kill', 'stop'),
        isCalm,
        twin,
      });
      if (!isCalm && chance(world.broken)) row.breakFor(4, Math.floor(random() * 8));
      const process = drawn();
      const other = drawn();
      const beside =
        number > 0 && world.twins
          ? () => {
              const its = { ...luck(), left: Infinity };
              void rootTry(
                other,
                from.fromTheStart ? { ...from, items: again(sheet) } : from,
                true,
                its,
              ).catch(() => undefined);
            }
          : undefined;
      if (isQueue && beside !== undefined) beside();
      const isBefore = world.failsBefore && number === 0;
      const ended = isBefore
        ? { how: 'failed', next: { ...from, fromTheStart: false } }
        : await Promise.race([
            rootTry(process, from, number > 0, luck(isQueue ? undefined : beside)),
            ...processes.map(async (one) => {
              await one.death();
              return { how: 'killed', next: undefined };
            }),
          ]);
      how = ended.how;
      for (const one of processes) if (one.isDead) await restart(one);
      if (ended.next !== undefined) state = ended.next;
      if (how === 'success' && isAwaited) break;
      // Never as many as the row holds: what has left the log altogether can't be recognized.
      if (world.drops && number < 3 && chance(0.3)) row.foreign(12);
      if (chance(world.restarted) && !isQueue) await restart(process);
      await scheduler.wait(isQueue || !isAwaited ? between(100, 3000) : 1);
    }
  };
  // Whoever works in a process that died waits for ever; the user never does.
  const ends: unknown[] = [];
  void user().then(
    () => ends.push('ended'),
    (error: unknown) => ends.push(error),
  );
  await scheduler.run();
  expect(ends).toEqual(['ended']);
  const count = (kinds: readonly SheetRow[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { kind } of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  };
  let doubled = 0;
  for (const [kind, number] of created)
    doubled += Math.max(0, number - (wanted.get(kind)?.size ?? 0));
  let missing = 0;
  if (how === 'success' && !skipped && isAwaited) {
    for (const [kind, number] of count(state.items))
      missing += Math.max(0, number - (created.get(kind) ?? 0));
  }
  const invented = claimed.filter(({ kind }) => !created.has(kind)).length;
  return {
    doubled,
    missing,
    invented,
    succeeded: how === 'success',
    held,
    returned,
    created: posts.length,
  };
}
