import type {
  ExecutionError,
  IDataObject,
  INodeExecutionData,
  IRun,
  ITaskData,
} from 'n8n-workflow';

function lastTask(run: IRun, nodeName: string, runIndex: number): ITaskData {
  const task = run.data.resultData.runData[nodeName]?.at(runIndex);
  if (task) return task;
  const error = run.data.resultData.error?.message ?? 'no error';
  throw new Error(`The node "${nodeName}" didn't run; the execution ended with: ${error}`);
}

/**
 * The items a node emitted, by default on its first output in its last run.
 *
 * @throws when the node didn't run, or failed and emitted none: then with the node's message
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
  throw new Error(`The node "${nodeName}" emitted nothing: ${error?.message ?? 'no error'}`);
}

/** The `json` of the items a node emitted; see `items`. */
export function records(
  run: IRun,
  nodeName: string,
  outputIndex = 0,
  runIndex = -1,
): IDataObject[] {
  return items(run, nodeName, outputIndex, runIndex).map(({ json }) => json);
}

/**
 * The error a node ended with in its last run, as the execution's record holds it.
 *
 * @throws when the node didn't run or didn't fail
 */
export function nodeError(run: IRun, nodeName: string): ExecutionError {
  const { error } = lastTask(run, nodeName, -1);
  if (error) return error;
  throw new Error(`The node "${nodeName}" didn't fail`);
}
