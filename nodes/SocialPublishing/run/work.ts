import type { IExecuteFunctions } from 'n8n-workflow';

import type { WorkOperation } from '../operations/operation';
import { readHeads } from '../service/heads';
import { headsWith } from '../service/http/head';
import { failed, succeeded } from '../service/outcome';
import { type Input, isRefused, type ItemOfRun } from './check';
import { fieldFailure } from './errors';
import { type ItemOutcomes, stopsRun } from './outcomes';

/** What came of each item, and what it is warned of. */
export interface WorkReport {
  readonly results: ItemOutcomes;
  readonly warnings: ReadonlyMap<number, readonly string[]>;
}

/** Works out the records of every item, and returns what came of each. Writes nothing. */
export async function work(
  context: IExecuteFunctions,
  operation: WorkOperation,
  { items }: Input,
): Promise<WorkReport> {
  const results: ItemOutcomes = items.map((one) =>
    isRefused(one) ? failed(one.failure) : undefined,
  );
  const warnings = new Map<number, readonly string[]>();
  if (stopsRun(context, results)) return { results, warnings };
  const ready = items.filter((one): one is ItemOfRun => !isRefused(one));
  const cancelled = context.getExecutionCancelSignal();
  const worked = await operation.work(
    ready.map(({ item }) => item),
    { heads: async (addresses) => await readHeads(headsWith(context), addresses, cancelled) },
  );
  for (const [position, { index, service }] of ready.entries()) {
    const one = worked[position];
    if (one === undefined) continue;
    if (one.status === 'rejected') results[index] = failed(fieldFailure(one.reason));
    else {
      results[index] = succeeded(one.value.records, service.quota);
      warnings.set(index, one.value.warnings);
    }
  }
  return { results, warnings };
}
