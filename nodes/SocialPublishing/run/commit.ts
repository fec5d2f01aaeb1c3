import type { Entry } from '../idempotency/rule';
import type { Failure } from '../service/outcome';
import { messageOf } from './errors';
import { heldFailure, notLoggedFailure } from './uncertainty';
import type { Wanted, WriteRun } from './wanted';

/** A write that stands in the log, so that it may be sent. */
export interface Committed {
  readonly one: Wanted;
  readonly entry: Entry;
  /** Why it must not be sent after all. */
  readonly problem?: Failure | undefined;
}

/**
 * Writes down a group before it is sent. Where that fails, nothing of it may be sent. What is sent again
 * becomes another entry, and the one before it is void.
 */
export async function commit(
  { operation, memory: { log, results } }: WriteRun,
  group: readonly Wanted[],
): Promise<Committed[]> {
  const [logged] = await Promise.allSettled([log?.commit(group.map(({ intent }) => intent))]);
  const problem =
    logged.status === 'rejected'
      ? notLoggedFailure(messageOf(logged.reason))
      : log !== undefined && logged.value === undefined
        ? heldFailure({ kind: 'elsewhere' }, operation)
        : undefined;
  const entries = logged.status === 'fulfilled' ? logged.value : undefined;
  return group.map((one, index) => {
    const { intent, before } = one;
    const entry = entries?.[index] ?? { ...intent, number: 0 };
    const isElsewhere = log !== undefined && entries?.[index] === undefined;
    const why = problem ?? (isElsewhere ? heldFailure({ kind: 'wanted' }, operation) : undefined);
    if (why === undefined) {
      results.keep(intent, entry, before?.open ?? { state: 'open' });
      if (before?.entry !== undefined) log?.end(before.entry, 'void');
    }
    return { one, entry, problem: why };
  });
}
