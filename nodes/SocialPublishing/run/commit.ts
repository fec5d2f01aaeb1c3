import type { Open } from '../idempotency/results';
import type { Entry } from '../idempotency/rule';
import type { Failure } from '../service/outcome';
import { messageOf } from './errors';
import type { ToSend } from './sortOut';
import { heldFailure, notLoggedFailure } from './uncertainty';
import type { Wanted, WriteRun } from './wanted';

/** A write that stands in the log, so that it may be sent. */
export interface Committed {
  readonly wanted: Wanted;
  readonly entry: Entry;
  /** What is known of it while it is sent. */
  readonly open: Open;
  /** Whether an earlier try may have carried it out. */
  readonly wasOpen: boolean;
  /** Why it must not be sent after all. */
  readonly problem?: Failure;
}

/**
 * Writes down a group before it is sent. Where that fails, nothing of it may be sent. What is sent again
 * becomes another entry, and the one before it is void.
 */
export async function commit(
  { operation, memory: { log, results } }: WriteRun,
  group: readonly ToSend[],
): Promise<Committed[]> {
  for (const { again } of group) if (again?.entry !== undefined) log?.end(again.entry, 'void');
  const intents = group.map(({ wanted: { intent } }) => intent);
  const [logged] = await Promise.allSettled([log?.commit(intents)]);
  const problem =
    logged.status === 'rejected'
      ? notLoggedFailure(messageOf(logged.reason))
      : log !== undefined && logged.value === undefined
        ? heldFailure({ kind: 'elsewhere' }, operation)
        : undefined;
  const entries = logged.status === 'fulfilled' ? logged.value : undefined;
  return group.map((one, index) => {
    const entry = entries?.[index];
    const isElsewhere = log !== undefined && entry === undefined;
    const why = problem ?? (isElsewhere ? heldFailure({ kind: 'wanted' }, operation) : undefined);
    const committed = committedAs(one, entry, why);
    if (why === undefined) results.keep(one.wanted.intent, committed.entry, committed.open);
    return committed;
  });
}

/** A member of a group as it stands in the log, or as it can't. */
export const committedAs = (
  { wanted, again }: ToSend,
  entry: Entry | undefined,
  problem: Failure | undefined,
): Committed => ({
  wanted,
  entry: entry ?? { ...wanted.intent, number: 0 },
  open: again?.open ?? { state: 'open' },
  wasOpen: again !== undefined,
  ...(problem !== undefined && { problem }),
});
