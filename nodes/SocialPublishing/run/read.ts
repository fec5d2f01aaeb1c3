import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ItemRead, ReadOperation, WorkOperation } from '../operations/operation';
import { isStopped } from '../service/client';
import { readHeads } from '../service/heads';
import { headsWith } from '../service/http/head';
import { failed, type Outcome, succeeded } from '../service/outcome';
import { breather } from './breath';
import { check, type Checked, type Input } from './check';
import { fieldFailure } from './errors';
import { sendAll } from './lanes';
import { type Report, reportOf, stopsRun } from './outcomes';

/** Reads what every item asks for, and returns what came of each. */
export async function read(
  context: IExecuteFunctions,
  operation: ReadOperation,
  { items, settings }: Input,
): Promise<Report> {
  const { ready, refused } = await check<ItemRead>(items, (item) => operation.request(item));
  const reports = reportOf(items.length, refused);
  if (stopsRun(context, reports)) return reports;
  await sendAll(context, ready, settings.concurrency, (source) => ({
    source,
    send: async (one: Checked<ItemRead>) => {
      const outcome = await readOne(operation, one);
      const isEmpty = outcome.ok && outcome.value.length === 0;
      const { whenEmpty } = one.asked;
      if (!isStopped(outcome)) reports[one.item.index] = { outcome, ...(isEmpty && { whenEmpty }) };
      return outcome;
    },
  }));
  return reports;
}

async function readOne(
  { endpoint }: ReadOperation,
  { item: { service }, asked: { output, most, ...request } }: Checked<ItemRead>,
): Promise<Outcome<IDataObject[]>> {
  const outcome = await service.read(endpoint, request);
  if (!outcome.ok || output === undefined) return outcome;
  try {
    const value = output(outcome.value, outcome.total);
    return { ...outcome, value: value.slice(0, most), total: value.length };
  } catch (error) {
    return failed({ ...fieldFailure(error), certainty: 'failed' });
  }
}

/** Works out the records of every item, and returns what came of each. Writes nothing. */
export async function work(
  context: IExecuteFunctions,
  operation: WorkOperation,
  { items }: Input,
): Promise<Report> {
  const { ready, refused } = await check(items, async (item) => await operation.draft(item));
  const reports = reportOf(items.length, refused);
  if (stopsRun(context, reports)) return reports;
  const cancelled = context.getExecutionCancelSignal();
  const worked = await operation.work(
    ready.map(({ asked }) => asked),
    {
      heads: async (addresses) => await readHeads(headsWith(context), addresses, cancelled),
      breathe: breather(),
    },
  );
  for (const [position, { item }] of ready.entries()) {
    const { records, warnings } = worked[position]!;
    reports[item.index] = { outcome: { ...succeeded(records, item.service.quota), warnings } };
  }
  return reports;
}
