import { type INode, NodeOperationError } from 'n8n-workflow';

/** What is wrong with a delivery or a credential, for the person who sets up the trigger. */
export interface Explanation {
  /** What is wrong, for machines: it stays when the message is reworded. */
  code: string;
  message: string;
  description: string;
}

/** Ends a delivery that starts no run, with an HTTP status and the JSON body `{ "error": message }`. */
export class RefusedDelivery extends Error {
  /** @param explanation for a test run @param message for the sender, who may be told less */
  constructor(
    readonly status: 400 | 401 | 500,
    readonly explanation: Explanation,
    message = explanation.message,
  ) {
    super(message);
  }
}

/** The error that shows an explanation in the editor, with its code in the context. */
export function explained(
  node: INode,
  { code, message, description }: Explanation,
): NodeOperationError {
  const error = new NodeOperationError(node, message, { description });
  error.context.code = code;
  return error;
}
