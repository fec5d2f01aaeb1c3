import { type IDataObject, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { FieldError, LookupError, NOT_BY_WRITER, plainText } from '../parameters/refusal';
import type { Failure } from '../service/outcome';
import { sentences } from '../service/words';

/** The message of what was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError];

/**
 * The failure for an error that came up while the fields of an item were read.
 * @throws the error, when it is a mistake in this package: that is no failure of an item
 */
export function fieldFailure(error: unknown): Failure {
  if (MISTAKES.some((mistake) => error instanceof mistake)) throw error;
  if (error instanceof FieldError)
    return {
      code: error.code,
      field: error.path,
      message: error.message,
      description: error.advice,
      ...(error.forWriter !== undefined && { forWriter: error.forWriter }),
      certainty: 'notSent',
    };
  if (error instanceof LookupError) return { ...error.failure, certainty: 'notSent' };
  const description: unknown =
    error instanceof Error && 'description' in error ? error.description : undefined;
  return {
    code: 'unreadableField',
    message: plainText(messageOf(error)),
    description: typeof description === 'string' ? plainText(description) : '',
    certainty: 'notSent',
  };
}

const withItem = (message: string, item: number): string => `${message} [item ${item}]`;

/** The editor shows descriptions and hints as HTML: what looks like a tag and ends of lines would vanish. */
export const asHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>');

/**
 * Restores the message of an error. n8n replaces a message that contains the letters of an error code,
 * even inside a host name or a value.
 */
function keepMessage<E extends NodeApiError | NodeOperationError>(error: E, message: string): E {
  error.message = message;
  return error;
}

/**
 * The error for a picker or another place without items: what happened and what to do next.
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

/** Whether the node works for an AI agent, which is told the message of an error alone. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** What to do next, as whoever works with the node is told. */
const stepFor = (node: INode, { forModel, description }: Failure): string =>
  (isTool(node) ? forModel : undefined) ?? description;

/** What is known of a failure beside its words, for error workflows and for items. */
const factsOf = ({ code, field, certainty, httpCode }: Failure): IDataObject => ({
  code,
  ...(field === undefined ? {} : { field }),
  certainty,
  ...(httpCode === undefined ? {} : { httpCode }),
});

/**
 * The error that stops the node: what happened, what to do next, and at which item.
 * @param title what happened, when it is about several items
 */
export function nodeError(
  node: INode,
  failure: Failure,
  item: number,
  progress: string,
  title?: string,
): NodeApiError | NodeOperationError {
  const step = stepFor(node, failure);
  // A model is told all in the message.
  const [what, description] = isTool(node)
    ? [sentences(`${failure.message}.`, step), '']
    : [failure.message, sentences(step, progress)];
  const message = title ?? withItem(what, item);
  // The editor would write the item behind a message about several.
  const place = title === undefined ? { itemIndex: item } : {};
  const words = { message, description: asHtml(description), ...place };
  const error =
    failure.httpCode === undefined
      ? operationError(node, { message, description }, place)
      : new NodeApiError(node, { message }, { ...words, httpCode: String(failure.httpCode) });
  Object.assign(error.context, factsOf(failure));
  return keepMessage(error, message);
}

/** Words that stand for a field of the body only where the service's message begins with them or quotes them. */
const BODY_PATHS =
  /\b(?<path>variants(?:\[\d+\]|\.\d+)(?:\.\w+)?|scheduledAt|workspaceId|isActive|config\.\w+)|(?<=[“"'`])(?<word>name|type|status|schedule|config|id)\b/g;

/**
 * Adds what the fields that the service names are called in the editor.
 * @param fieldFor the field of the editor for one of the body; `undefined` when there is none
 */
export function withFieldNames(
  failure: Failure,
  fieldFor: (bodyPath: string) => string | undefined,
): Failure {
  const named = new Map<string, string>();
  for (const { groups } of failure.description.matchAll(BODY_PATHS)) {
    const written = groups?.path ?? groups?.word ?? '';
    const field = fieldFor(written.replace(/\.(\d+)/g, '[$1]'));
    if (field !== undefined) named.set(written, field);
  }
  const words = [...named].map(([written, field]) => `In this node, ${written} is ${field}.`);
  return named.size === 0
    ? failure
    : { ...failure, description: [...words, failure.description].join(' ') };
}

/** What the writer of a row is told of a failure that only whoever built the workflow can do something about. */
const WITHOUT_REASON: Readonly<Record<Failure['certainty'], string>> = {
  notSent: NOT_BY_WRITER,
  refused: 'The service refused it. Tell whoever built this workflow.',
  failed: 'The service gave no answer that can be used. Tell whoever built this workflow.',
  uncertain: 'It may or may not have been sent. Look in the service before you ask for it again.',
};

/** A failure for whoever wrote what was to be sent: it names nothing of the workflow. */
export const forWriter = ({ forWriter: reason, certainty }: Failure): string =>
  certainty === 'uncertain' || reason === undefined
    ? sentences(reason ?? '', WITHOUT_REASON[certainty])
    : reason;

/** The output of an item that failed while the node goes on. */
export const errorJson = (node: INode, failure: Failure, item: number): IDataObject => ({
  error: withItem(failure.message, item),
  details: {
    ...factsOf(failure),
    forWriter: forWriter(failure),
    forBuilder: stepFor(node, failure),
  },
});
