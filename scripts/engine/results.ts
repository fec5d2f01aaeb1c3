import type {
  ExecutionError,
  IDataObject,
  INodeExecutionData,
  IRun,
  ITaskData,
  NodeExecutionHint,
} from 'n8n-workflow';

function lastTask(run: IRun, nodeName: string, runIndex: number): ITaskData {
  const task = run.data.resultData.runData[nodeName]?.at(runIndex);
  if (task) return task;
  const error = run.data.resultData.error?.message ?? 'no error';
  throw new Error(`The node "${nodeName}" didn't run; the execution ended with: ${error}`);
}

/**
 * The items that a node output, by default on its first output in its last run.
 *
 * @throws when the node didn't run, or failed without items: then with the message of the node
 */
export function items(
  run: IRun,
  nodeName: string,
  outputIndex = 0,
  runIndex = -1,
): INodeExecutionData[] {
  const { data, error } = lastTask(run, nodeName, runIndex);
  const output = data?.main?.[outputIndex];
  if (output) return output;
  throw new Error(`The node "${nodeName}" output no items: ${error?.message ?? 'no error'}`);
}

/** The `json` of the items that a node output. See `items`. */
export function records(
  run: IRun,
  nodeName: string,
  outputIndex = 0,
  runIndex = -1,
): IDataObject[] {
  return items(run, nodeName, outputIndex, runIndex).map(({ json }) => json);
}

/**
 * The error of a node's last run, as the execution record holds it.
 *
 * @throws when the node didn't run or didn't fail
 */
export function nodeError(run: IRun, nodeName: string): ExecutionError {
  const { error } = lastTask(run, nodeName, -1);
  if (error) return error;
  throw new Error(`The node "${nodeName}" didn't fail`);
}

/**
 * The lines above the output of a node in its last run.
 *
 * @param only the lines of one type; all unless given
 */
export const hintsOf = (run: IRun, nodeName: string, only?: NodeExecutionHint['type']): string[] =>
  (run.data.resultData.runData[nodeName]?.at(-1)?.hints ?? []).flatMap(({ type, message }) =>
    only === undefined || type === only ? [message] : [],
  );
