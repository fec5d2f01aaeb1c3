import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * Where the node keeps what it must know later in the same execution: n8n's context of the node.
 *
 * A call that is no part of an execution, such as an MCP server makes of a tool, has none: n8n
 * throws, and what is kept is forgotten after the call.
 */
export const memoryOf = (context: IExecuteFunctions): IDataObject =>
  keepsMemory(context) ? context.getContext('node') : {};

/** Whether the node is part of an execution, so that n8n keeps what it must know later. */
export function keepsMemory(context: IExecuteFunctions): boolean {
  try {
    context.getContext('node');
    return true;
  } catch {
    return false;
  }
}
