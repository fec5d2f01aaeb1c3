import { type IDataObject, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Failure } from '../transport/outcome';
import { FieldError } from './fieldError';

/** The failure for an error that came up while the fields of an item were read. */
export function fieldFailure(error: unknown): Failure {
  if (error instanceof FieldError)
    return { message: error.message, description: error.hint, certainty: 'notSent' };
  const { message, description } =
    error instanceof Error
      ? (error as Error & { description?: unknown })
      : { message: String(error), description: undefined };
  return {
    message,
    description: typeof description === 'string' ? description : 'Nothing was sent for this item.',
    certainty: 'notSent',
  };
}

const messageOf = (failure: Failure, item: number): string => `${failure.message} [item ${item}]`;

/** The error that stops the node: what happened, what to do next, and at which item. */
export function nodeError(
  node: INode,
  failure: Failure,
  item: number,
  progress: string,
): NodeApiError | NodeOperationError {
  const description = [failure.description, progress].filter((part) => part !== '').join(' ');
  const message = messageOf(failure, item);
  const error =
    failure.httpCode === undefined
      ? new NodeOperationError(node, message, { description, itemIndex: item })
      : new NodeApiError(
          node,
          { message },
          { message, description, httpCode: String(failure.httpCode), itemIndex: item },
        );
  return saying(message, error);
}

/**
 * Gives an error back its message: n8n replaces one that holds certain letters, those of the name of
 * an error code, by its own, also where they are part of a host or of a value.
 */
export function saying<E extends NodeApiError | NodeOperationError>(message: string, error: E): E {
  error.message = message;
  return error;
}

/** The output of an item that failed while the node goes on. */
export const errorJson = (failure: Failure, item: number): IDataObject => ({
  error: messageOf(failure, item),
  details: {
    description: failure.description,
    certainty: failure.certainty,
    ...(failure.httpCode === undefined ? {} : { httpCode: failure.httpCode }),
  },
});
