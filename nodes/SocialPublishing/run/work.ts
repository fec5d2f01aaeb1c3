import type { IExecuteFunctions } from 'n8n-workflow';

import type { WorkOperation } from '../operations/operation';
import { readHeads } from '../service/heads';
import { headsWith } from '../service/http/head';
import { failed, succeeded } from '../service/outcome';
import { breather } from './breath';
import { check, type Input, isRefused } from './check';
import { type ItemOutcomes, type Report, reportOf, stopsRun } from './outcomes';

/** Works out the records of every item, and returns what came of each. Writes nothing. */
export async function work(
  context: IExecuteFunctions,
  operation: WorkOperation,
  { items }: Input,
): Promise<Report> {
  const checked = await check(items, async ({ item }) => await operation.draft(item));
  const results: ItemOutcomes = checked.map((one) =>
    isRefused(one) ? failed(one.failure) : undefined,
  );
  if (stopsRun(context, results)) return reportOf(results);
  const warnings = new Map<number, readonly string[]>();
  const ready = checked.flatMap((one) => (isRefused(one) ? [] : [one]));
  const cancelled = context.getExecutionCancelSignal();
  const worked = await operation.work(
    ready.map(({ asked }) => asked),
    {
      heads: async (addresses) => await readHeads(headsWith(context), addresses, cancelled),
      breathe: breather(),
    },
  );
  for (const [position, { index, service }] of ready.entries()) {
    const { records, warnings: ofItem } = worked[position]!;
    results[index] = succeeded(records, service.quota);
    warnings.set(index, ofItem);
  }
  return { ...reportOf(results), warnings };
}
