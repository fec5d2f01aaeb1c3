import type { IExecuteFunctions } from 'n8n-workflow';

import type { WorkOperation } from '../operations/operation';
import { readHeads } from '../service/heads';
import { headsWith } from '../service/http/head';
import { failed, succeeded } from '../service/outcome';
import { type Input, isRefused, type ItemOfRun } from './check';
import { fieldFailure } from './errors';
import { type Results, stopsRun } from './report';

/** Works out the record of every item, and returns what came of each. Writes nothing. */
export async function work(
  context: IExecuteFunctions,
  operation: WorkOperation,
  { items }: Input,
): Promise<Results> {
  const results: Results = items.map((one) => (isRefused(one) ? failed(one.failure) : undefined));
  if (stopsRun(context, results)) return results;
  const ready = items.filter((one): one is ItemOfRun => !isRefused(one));
  const cancelled = context.getExecutionCancelSignal();
  const worked = await operation.work(
    ready.map(({ item }) => item),
    { heads: async (addresses) => await readHeads(headsWith(context), addresses, cancelled) },
  );
  for (const [place, { index, service }] of ready.entries()) {
    const one = worked[place];
    if (one === undefined) continue;
    results[index] =
      one.status === 'fulfilled'
        ? succeeded([one.value], service.quota)
        : failed(fieldFailure(one.reason));
  }
  return results;
}
