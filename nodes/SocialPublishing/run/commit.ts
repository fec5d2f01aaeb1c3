import { type Entry, IntentLog } from '../idempotency/log';
import type { Recognized } from '../idempotency/recognize';
import type { Open } from '../idempotency/results';
import type { Failure } from '../service/outcome';
import { messageOf } from './errors';
import type { Memory } from './memory';
import type { ToSend } from './sortOut';
import { heldFailure, kindOf, notLoggedFailure } from './uncertainty';
import { aboutOf, placeOf, type Wanted, type WriteRun } from './wanted';

/** A write that stands in the log, so that it may be sent. */
export interface Committed {
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

/**
 * Writes down a group before it is sent. Where that fails, nothing of it may be sent.
 *
 * @param unaccounted the entries of the log that nobody accounts for
 */
export async function commit(
  { operation, memory }: WriteRun,
  group: readonly ToSend[],
  unaccounted: Recognized['unaccounted'],
): Promise<Committed[]> {
  const { log, results } = memory;
  const entries = IntentLog.number(
    group.filter(({ again }) => again?.entry === undefined).map(({ wanted: { intent } }) => intent),
    results,
    unaccounted,
  );
  const made = group.map((one) =>
    committedAs(
      one,
      entries.find(({ intent }) => intent === one.wanted.intent),
    ),
  );
  for (const { wanted, number, attempts, open } of made) {
    results.keep(aboutOf(wanted, number, attempts), open);
  }
  if (log === undefined) return made;
  const problem =
    entries.length === 0
      ? undefined
      : await problemWith(log.commit(entries, Date.now()), operation);
  const checked: Committed[] = [];
  for (const one of made) {
    const own = one.entry === undefined ? await commitAttempt(one, log, operation) : problem;
    checked.push({ ...one, ...(own !== undefined && { problem: own }), committedAt: Date.now() });
  }
  return checked;
}

/** A member of a group as it will stand in the log. */
export const committedAs = ({ wanted, again }: ToSend, entry?: Entry): Committed => ({
  wanted,
  number: entry?.numbers.full ?? again?.entry?.number ?? 0,
  attempts: again?.entry === undefined ? 0 : again.entry.attempts + 1,
  committedAt: Date.now(),
  open: again?.open ?? { state: 'open' },
  wasOpen: again !== undefined,
  ...(entry !== undefined && { entry }),
});

/** Why one more attempt must not go out; `undefined` when it may. */
export const commitAttempt = async (
  { wanted, number, attempts }: Committed,
  log: IntentLog,
  operation: WriteRun['operation'],
): Promise<Failure | undefined> =>
  await problemWith(
    log.attempt({ full: wanted.intent.grains.full, number, attempt: attempts }, Date.now()),
    operation,
  );

/** Why what was written down must not be sent; `undefined` when it may. */
async function problemWith(
  written: Promise<boolean>,
  operation: WriteRun['operation'],
): Promise<Failure | undefined> {
  const [result] = await Promise.allSettled([written]);
  if (result.status === 'rejected') return notLoggedFailure(messageOf(result.reason));
  return result.value ? undefined : heldFailure({ kind: 'elsewhere' }, kindOf(operation));
}

/** Removes from the log what was certainly not sent. Where that fails, a retry holds it needlessly. */
export async function takeBack(
  entries: readonly Entry[],
  { log, results }: Memory,
  unaccounted: Recognized['unaccounted'],
): Promise<void> {
  for (const { intent } of entries) results.forget(placeOf(intent));
  await Promise.allSettled([log?.takeBack(entries, results, unaccounted)]);
}
