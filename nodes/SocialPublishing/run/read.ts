import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ItemRead, ReadOperation } from '../operations/operation';
import { isStopped } from '../service/client';
import { failed, type Outcome } from '../service/outcome';
import { check, type Checked, type Input, isRefused } from './check';
import { fieldFailure } from './errors';
import { type Report, reportOf, stopsRun } from './outcomes';
import { sendAll } from './send';

/** Reads what every item asks for, and returns what came of each. */
export async function read(
  context: IExecuteFunctions,
  operation: ReadOperation,
  { items, settings }: Input,
): Promise<Report> {
  const checked = await check<ItemRead>(items, ({ item }) => operation.request(item));
  const results = checked.map((one) => (isRefused(one) ? failed(one.failure) : undefined)) as Array<
    Outcome<IDataObject[]> | undefined
  >;
  if (stopsRun(context, results)) return reportOf(results);
  const ready = checked.filter((one) => !isRefused(one)) as Array<Checked<ItemRead>>;
  await sendAll(context, ready, settings.concurrency, (source) => ({
    source,
    send: async (one: Checked<ItemRead>) => {
      const outcome = await readOne(operation, one);
      if (!isStopped(outcome)) results[one.index] = outcome;
      return outcome;
    },
  }));
  return checked.map((one, index) => {
    const outcome = results[index];
    const isEmpty = outcome?.ok === true && outcome.value.length === 0 && !isRefused(one);
    return { outcome, ...(isEmpty && { whenEmpty: one.asked.whenEmpty }) };
  });
}

async function readOne(
  { endpoint }: ReadOperation,
  { service, asked: { output, most, ...request } }: Checked<ItemRead>,
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
