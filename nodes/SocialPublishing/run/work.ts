import type { IExecuteFunctions } from 'n8n-workflow';

import type { WorkOperation } from '../operations/operation';
import { readHeads } from '../service/heads';
import { headsWith } from '../service/http/head';
import { failed, succeeded } from '../service/outcome';
import { breather } from './breath';
import { check, type Input, isRefused } from './check';
import { type Report, reportOf, stopsRun } from './outcomes';

/** Works out the records of every item, and returns what came of each. Writes nothing. */
export async function work(
  context: IExecuteFunctions,
  operation: WorkOperation,
  { items }: Input,
): Promise<Report> {
  const checked = await check(items, async ({ item }) => await operation.draft(item));
  const refused = checked.map((one) => (isRefused(one) ? failed(one.failure) : undefined));
  if (stopsRun(context, refused)) return reportOf(refused);
  const ready = checked.flatMap((one) => (isRefused(one) ? [] : [one]));
  const cancelled = context.getExecutionCancelSignal();
  const worked = await operation.work(
    ready.map(({ asked }) => asked),
    {
      heads: async (addresses) => await readHeads(headsWith(context), addresses, cancelled),
      breathe: breather(),
    },
  );
  const reports = [...reportOf(refused)];
  for (const [position, { index, service }] of ready.entries()) {
    const { records, warnings } = worked[position]!;
    reports[index] = { outcome: succeeded(records, service.quota), warnings };
  }
  return reports;
}
