import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { flowOf } from '../idempotency/execution';
import { operations } from '../operations';
import type { Operation } from '../operations/operation';
import { readInput } from './check';
import { recollect } from './memory';
import { runHints } from './notices';
import { read, work } from './read';
import { outputOf } from './report';
import { write } from './write';

/**
 * Runs the chosen operation for every input item.
 *
 * All items are read and checked before the first write goes out. Requests then go out in the order
 * of the items, a bounded number at a time. Every output item is linked to its input item.
 * @throws NodeOperationError or NodeApiError for the first item that failed, unless the node is set to
 * continue on fail; it says what has been done by then
 */
export async function run(
  context: IExecuteFunctions,
  continueOnFail: boolean,
): Promise<INodeExecutionData[][]> {
  const operation = chosenOperation(context);
  const flow = flowOf(context);
  const input = await readInput(context, operation, flow ?? {});
  const report =
    operation.kind === 'read'
      ? await read(context, operation, input)
      : operation.kind === 'work'
        ? await work(context, operation, input)
        : await write(context, operation, input, await recollect(context, flow));
  const items = outputOf(context, operation, input.settings, report, continueOnFail);
  // An old n8n shows no lines above the output.
  const lines: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>> = context;
  const isManual = context.getMode() === 'manual';
  lines.addExecutionHints?.(...runHints({ operation, isManual, report }, Date.now()));
  return [items];
}

function chosenOperation(context: IExecuteFunctions): Operation {
  const resource = context.getNodeParameter('resource', 0);
  const name = context.getNodeParameter('operation', 0);
  const found = operations.find(
    (operation) => operation.resource === resource && operation.option.value === name,
  );
  if (found !== undefined) return found;
  throw new NodeOperationError(
    context.getNode(),
    `There is no operation "${name}" for the resource "${String(resource)}"`,
    { description: 'Select the resource and the operation again.' },
  );
}
