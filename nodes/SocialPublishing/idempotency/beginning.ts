import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * When the execution began that this run belongs to: for a retry, the execution that is retried.
 *
 * @returns Unix milliseconds; `undefined` where n8n does not tell, as it then tells only when the
 * retry began
 */
export function beginningOf(context: Partial<IExecuteFunctions>): number | undefined {
  const { establishedAt, source } = context.getExecutionContext?.() ?? {};
  return source === 'retry' ? undefined : establishedAt;
}
