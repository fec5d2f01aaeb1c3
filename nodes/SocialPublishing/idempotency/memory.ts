import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** n8n's context of the node; n8n throws where the node is no part of an execution. */
function contextOf(context: IExecuteFunctions): IDataObject | undefined {
  try {
    return context.getContext('node');
  } catch {
    return undefined;
  }
}

/**
 * Where the node keeps what it must know later in the same execution: n8n's context of the node.
 *
 * A call that is no part of an execution, such as an MCP server makes of a tool, has none: what is
 * kept is forgotten after the call.
 */
export const memoryOf = (context: IExecuteFunctions): IDataObject => contextOf(context) ?? {};

/** Whether the node is part of an execution, so that n8n keeps what it must know later. */
export const keepsMemory = (context: IExecuteFunctions): boolean =>
  contextOf(context) !== undefined;
