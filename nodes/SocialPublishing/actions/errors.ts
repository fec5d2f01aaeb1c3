import { type IDataObject, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Failure } from '../transport/outcome';
import { FieldError } from './input/fieldError';

/** The failure for an error that came up while the fields of an item were read. */
export function fieldFailure(error: unknown): Failure {
  if (error instanceof FieldError)
    return { message: error.message, description: error.hint, certainty: 'notSent' };
  const description: unknown =
    error instanceof Error && 'description' in error ? error.description : undefined;
  return {
    message: error instanceof Error ? error.message : String(error),
    description: typeof description === 'string' ? description : 'Nothing was sent for this item.',
    certainty: 'notSent',
  };
}

const messageOf = (failure: Failure, item: number): string => `${failure.message} [item ${item}]`;

/** The editor shows the description of an error as HTML: what looks like a tag would vanish. */
const asHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Gives an error its message back: n8n replaces one that holds certain letters, those of the name of
 * an error code, by its own, also where they are part of a host or of a value.
 */
function keepMessage<E extends NodeApiError | NodeOperationError>(error: E, message: string): E {
  error.message = message;
  return error;
}

/**
 * The error for a picker or another place without items: what happened and what to do next.
 *
 * @param options what n8n takes beside the description
 */
export const operationError = (
  node: INode,
  { message, description }: Pick<Failure, 'message' | 'description'>,
  options: { itemIndex?: number } = {},
): NodeOperationError =>
  keepMessage(
    new NodeOperationError(node, message, { ...options, description: asHtml(description) }),
    message,
  );

/** The error that stops the node: what happened, what to do next, and at which item. */
export function nodeError(
  node: INode,
  failure: Failure,
  item: number,
  progress: string,
): NodeApiError | NodeOperationError {
  const description = [failure.description, progress].filter((part) => part !== '').join(' ');
  const message = messageOf(failure, item);
  if (failure.httpCode === undefined) {
    return operationError(node, { message, description }, { itemIndex: item });
  }
  const error = new NodeApiError(
    node,
    { message },
    {
      message,
      description: asHtml(description),
      httpCode: String(failure.httpCode),
      itemIndex: item,
    },
  );
  return keepMessage(error, message);
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
