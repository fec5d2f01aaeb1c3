import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { aheadOf, Progress } from '../idempotency/groups';
import { GRAINS, type Intent } from '../idempotency/intent';
import { type Entry, IntentLog } from '../idempotency/log';
import { NOTHING_OPEN, type Recognized } from '../idempotency/recognize';
import type { Done, Open } from '../idempotency/results';
import { LEASE_MS } from '../idempotency/tolerances';
import type { WriteOperation } from '../operations/operation';
import { isStopped } from '../service/client';
import { type Failed, failed, type Failure, type Outcome, succeeded } from '../service/outcome';
import { fieldFailure } from './errors';
import type { Memory } from './memory';
import { aboutOf, messageOf, placeOf, type Uncertain, type Wanted } from './recall';
import { sendInGroups } from './send';
import type { Settings } from './settings';
import { heldFailure, type Kind, notLoggedFailure, stillOpenFailure } from './uncertainty';

/** How many writes may be left open by a run that looks for them, before it sends no more. */
const MAX_OPEN = 20;

/** One item that is to be sent. */
export interface ToSend {
  readonly wanted: Wanted;
  /** What an earlier try left open, when it is to be sent once more. */
  readonly again?: Uncertain;
}

/** A write that stands in the log, so that it may be sent. */
interface Committed {
  readonly wanted: Wanted;
  /** Which of the log's entries with the same value of `full` it is. */
  readonly number: number;
  /** How often it is sent again. */
  readonly attempts: number;
  /** Unix milliseconds. */
  readonly committedAt: number;
  /** What is known of it while it is sent. */
  readonly open: Open;
  /** Whether an earlier try may have carried it out. */
  readonly wasOpen: boolean;
  /** The entry that this run has made for it. */
  readonly entry?: Entry;
  /** Why it must not be sent after all. */
  readonly problem?: Failure;
}

/** What came of what was sent. */
export interface Sent {
  readonly outcomes: ReadonlyMap<number, Outcome<IDataObject>>;
  /** What was left open and is to be looked for. */
  readonly left: readonly Uncertain[];
}

/** What is sent, and what it is committed by. */
export interface Sending {
  readonly toSend: readonly ToSend[];
  /** The entries of the log that nobody accounts for. */
  readonly open: Recognized['open'];
  readonly kind: Kind;
}

/** Commits and sends what items ask for, in their order, until one ends the run. */
export async function commitAndSend(
  context: IExecuteFunctions,
  operation: WriteOperation,
  { concurrency }: Settings,
  memory: Memory,
  { toSend, open, kind }: Sending,
): Promise<Sent> {
  const outcomes = new Map<number, Outcome<IDataObject>>();
  const left: Uncertain[] = [];
  const unsent = new Set<Entry>();
  let notLogged: Failure | undefined;
  const services = [...new Set(toSend.map(({ wanted: { service } }) => service))];
  const groups = services.map((service) => {
    const progress = new Progress();
    const source = aheadOf(
      toSend.filter(({ wanted }) => wanted.service === service),
      progress,
      async (group) => {
        const problem = notLogged;
        if (problem !== undefined) {
          return group.map((one) => ({ ...committedAs(one, undefined), problem }));
        }
        const committed = await commit(group, memory, open, kind);
        for (const one of committed) {
          if (one.entry !== undefined) unsent.add(one.entry);
          if (one.problem?.certainty === 'notSent') notLogged = one.problem;
        }
        return committed;
      },
    );
    const send = async (one: Committed): Promise<Outcome<IDataObject>> => {
      const { index, uncertain } = one.wanted;
      const sent = await sendOne(operation, one, memory, kind, () => progress.start());
      progress.end();
      if (isStopped(sent)) return sent;
      if (mayExist(sent) && one.entry !== undefined) unsent.delete(one.entry);
      const isLookedFor = isUncertain(sent) && uncertain === 'look' && kind.path === '/posts';
      if (isLookedFor) left.push(leftBy(one, sent, memory));
      const outcome = isLookedFor ? goingOn(sent, left.length <= MAX_OPEN) : sent;
      outcomes.set(index, outcome);
      return outcome;
    };
    return { service, source, send, close: () => progress.close() };
  });
  await sendInGroups(context, groups, concurrency);
  await takeBack([...unsent], memory, open);
  return { outcomes, left };
}

const isUncertain = (outcome: Outcome<unknown>): outcome is Failed =>
  !outcome.ok && outcome.failure.certainty === 'uncertain';

const mayExist = (outcome: Outcome<unknown>): boolean => outcome.ok || isUncertain(outcome);

const goingOn = ({ failure }: Failed, concernsItemAlone: boolean): Failed =>
  failed({ ...failure, concernsItemAlone });

/** What this run left open, to be looked for. */
function leftBy({ wanted, number }: Committed, { failure }: Failed, memory: Memory): Uncertain {
  const result = memory.results.find(placeOf(wanted.intent));
  return {
    wanted,
    doubt: { kind: 'leftOpen', message: failure.message },
    open: result?.state === 'open' ? result : { state: 'open', message: failure.message },
    entry: { number, attempts: result?.attempts ?? 0 },
  };
}

/**
 * Writes down a group before it is sent. Where that fails, nothing of it may be sent.
 *
 * @param open the entries of the log that nobody accounts for
 */
async function commit(
  group: readonly ToSend[],
  { log, results }: Memory,
  open: Recognized['open'],
  kind: Kind,
): Promise<Committed[]> {
  const isAttempt = ({ again }: ToSend): boolean => again?.entry !== undefined;
  const entries = IntentLog.number(
    group.filter((one) => !isAttempt(one)).map(({ wanted: { intent } }) => intent),
    results,
    open,
  );
  const made = group.map((one): Committed => {
    const entry = entries.find(({ intent }) => intent === one.wanted.intent);
    return committedAs(one, entry);
  });
  for (const { wanted, number, attempts, open: known } of made) {
    results.keep(aboutOf(wanted, GRAINS, number, attempts), known);
  }
  if (log === undefined) return made;
  const [taken] = await Promise.allSettled([
    entries.length === 0 ? new Set<number>() : log.commit(entries, Date.now()),
  ]);
  const checked: Committed[] = [];
  for (const one of made) {
    const problem =
      one.entry === undefined
        ? await commitAttempt(one, log, kind)
        : taken.status === 'rejected'
          ? notLoggedFailure(messageOf(taken.reason))
          : taken.value.has(one.wanted.index)
            ? heldFailure({ kind: 'elsewhere' }, kind)
            : undefined;
    checked.push({ ...one, ...(problem !== undefined && { problem }), committedAt: Date.now() });
  }
  return checked;
}

const committedAs = ({ wanted, again }: ToSend, entry: Entry | undefined): Committed => ({
  wanted,
  number: entry?.numbers.full ?? again?.entry?.number ?? 0,
  attempts: again?.entry === undefined ? 0 : again.entry.attempts + 1,
  committedAt: Date.now(),
  open: again?.open ?? { state: 'open' },
  wasOpen: again !== undefined,
  ...(entry !== undefined && { entry }),
});

/** Why one more attempt must not go out; `undefined` when it may. */
async function commitAttempt(
  { wanted, number, attempts }: Committed,
  log: IntentLog,
  kind: Kind,
): Promise<Failure | undefined> {
  const { full } = wanted.intent.grains;
  const [written] = await Promise.allSettled([
    log.attempt({ full, number, attempt: attempts }, Date.now()),
  ]);
  if (written.status === 'rejected') return notLoggedFailure(messageOf(written.reason));
  return written.value ? undefined : heldFailure({ kind: 'elsewhere' }, kind);
}

/**
 * Sends what was committed, and keeps what became of it.
 *
 * @param started called when the request goes out
 */
async function sendOne(
  { endpoint }: WriteOperation,
  committed: Committed,
  { log, results }: Memory,
  kind: Kind,
  started: () => void,
): Promise<Outcome<IDataObject>> {
  const { wanted, number, wasOpen, problem } = committed;
  const { intent, service } = wanted;
  let { attempts, committedAt } = committed;
  let sentAt: number | undefined;
  const keep = (became: Done | Open): void => {
    results.keep(aboutOf(wanted, GRAINS, number, attempts), became);
  };
  const guard = async (): Promise<Failure | undefined> => {
    if (log !== undefined && Date.now() - committedAt > LEASE_MS) {
      attempts++;
      const refused = await commitAttempt({ ...committed, attempts }, log, kind);
      if (refused !== undefined) return refused;
      committedAt = Date.now();
    }
    sentAt ??= Date.now();
    keep({ ...committed.open, sentAt: committed.open.sentAt ?? sentAt, ...timeOf(intent) });
    started();
    return undefined;
  };
  const body = problem === undefined ? await bodyOf(wanted) : failed(problem);
  const outcome = body.ok ? await service.write(endpoint, body.value, guard) : body;
  if (outcome.ok) {
    keep({ state: 'done', record: outcome.value, quota: outcome.quota });
    return { ...outcome, value: structuredClone(outcome.value) };
  }
  const { failure } = outcome;
  if (failure.certainty === 'uncertain' && sentAt !== undefined) {
    const { message } = failure;
    keep({ ...committed.open, message, sentAt, endedAt: Date.now(), ...timeOf(intent) });
    return failed({ ...failure, lookFor: timeOf(intent) });
  }
  if (wasOpen) {
    keep(committed.open);
    return isStopped(outcome) ? outcome : failed(stillOpenFailure(failure));
  }
  // What is to be taken back keeps its number until then, or the next group would get it again.
  if (committed.entry === undefined || failure.certainty === 'uncertain') {
    results.forget(placeOf(intent));
  }
  return outcome;
}

const timeOf = ({ scheduledAt }: Intent): { readonly scheduledAt?: string } =>
  scheduledAt === undefined ? {} : { scheduledAt };

/** The completed body. Copies of files are made only now, when it is about to be sent. */
async function bodyOf({ asked }: Wanted): Promise<Outcome<IDataObject>> {
  try {
    return succeeded((await asked.complete?.()) ?? asked.body, {});
  } catch (error) {
    return failed(fieldFailure(error));
  }
}

/** Removes from the log what was certainly not sent. Where that fails, a retry holds it needlessly. */
async function takeBack(
  entries: readonly Entry[],
  { log, results }: Memory,
  open: Recognized['open'],
): Promise<void> {
  for (const { intent } of entries) results.forget(placeOf(intent));
  await Promise.allSettled([log?.takeBack(entries, results, open)]);
}

/**
 * Sends once more what the service certainly doesn't have.
 *
 * @returns what came of it; uncertain when another retry has sent it
 */
export async function resend(
  operation: WriteOperation,
  again: Uncertain,
  memory: Memory,
  kind: Kind,
): Promise<Outcome<IDataObject>> {
  const [committed] = await commit([{ wanted: again.wanted, again }], memory, NOTHING_OPEN, kind);
  return await sendOne(operation, { ...committed!, wasOpen: false }, memory, kind, () => undefined);
}
