import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * Where the node keeps what it must know later in the same execution: n8n's context of the node.
 *
 * A call that is no part of an execution, such as an MCP server makes of a tool, has none: n8n
 * throws, and what is kept is forgotten after the call.
 */
export function memoryOf(context: IExecuteFunctions): IDataObject {
  try {
    return context.getContext('node');
  } catch {
    return {};
  }
}
