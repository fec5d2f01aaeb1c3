import { z } from 'zod';

import type { Workspace } from '../records';
import type { Store } from '../records/store';
import { nextRun } from '../time/cron';
import { isHttpUrl } from '../urls';
import { ApiError } from './errors';

/** A schema that reads a value as `Output`. */
export type Schema<Output> = z.ZodType<Output, z.ZodTypeDef, unknown>;

/** An integer in a query string, from `min` up. */
export function queryInteger(min: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'must be an integer')
    .transform(Number)
    .refine((value) => value >= min, `must be at least ${min}`);
}

/** The ID of a record in a body: a JSON integer from 1 up. */
export const recordId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const text = z.string().refine((value) => value.trim() !== '', 'must not be empty');

/** ISO 8601 in UTC with milliseconds and a trailing Z. The date must exist. */
export const timestamp = z
  .string()
  .refine(isTimestamp, 'must be a UTC timestamp of the form YYYY-MM-DDTHH:mm:ss.sssZ');

export const mediaUrl = z.string().refine(isHttpUrl, 'must be an absolute http or https URL');

/** A cron expression of five fields that is due at some time. */
export const cronExpression = z.string().superRefine((value, context) => {
  try {
    if (nextRun(value, new Date())) return;
    context.addIssue({ code: 'custom', message: 'is never due' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: 'custom', message: `must be a cron expression: ${reason}` });
  }
});

/**
 * Reads the query of a request.
 * @throws ApiError 400 that names the parameter
 */
export function parseQuery<Output>(schema: Schema<Output>, query: unknown): Output {
  return parse(schema, query, (field, message) => {
    return new ApiError(400, 'invalid_parameter', message, field);
  });
}

/**
 * Reads the JSON body of a request.
 * @throws ApiError 415 when the content type isn't JSON, 400 when the body isn't a JSON object, 422
 * that names the field when a field isn't valid
 */
export function parseBody<Output>(
  schema: Schema<Output>,
  contentType: string | undefined,
  bytes: Buffer,
): Output {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ApiError(415, 'unsupported_media_type', 'Send the body as application/json.');
  }
  return parse(schema, parseJsonObject(bytes), (field, message) => {
    return new ApiError(422, 'invalid_field', message, field);
  });
}

/** The fields of a parsed body that its schema doesn't list. */
export function extraFields(body: object, shape: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(shape, name)));
}

/**
 * Finds the workspace of a request.
 * @throws ApiError 404 that names workspaceId
 */
export function findWorkspace(store: Store, id: number): Workspace {
  const workspace = store.workspace(id);
  if (!workspace) {
    throw new ApiError(404, 'not_found', `There is no workspace ${id}.`, 'workspaceId');
  }
  return workspace;
}

function parseJsonObject(bytes: Buffer): object {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new ApiError(400, 'malformed_json', 'The body is not valid JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(400, 'malformed_json', 'The body must be a JSON object.');
  }
  return value;
}

function parse<Output>(
  schema: Schema<Output>,
  value: unknown,
  createError: (field: string, message: string) => ApiError,
): Output {
  const result = schema.safeParse(value, { errorMap });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = fieldName(issue?.path ?? []);
  throw createError(field, `${field} ${issue?.message}.`);
}

/** Messages without a subject: the name of the field comes first. */
const errorMap: z.ZodErrorMap = (issue, context) => {
  if (issue.code === 'invalid_type') {
    const missing = issue.received === 'undefined';
    if (missing) return { message: 'is required' };
    return {
      message: `must be ${withArticle(issue.expected)}, not ${withArticle(issue.received)}`,
    };
  }
  if (issue.code === 'too_small') {
    const unit = issue.type === 'array' ? 'have' : 'be';
    return { message: `must ${unit} at least ${issue.minimum}` };
  }
  return { message: context.defaultError };
};

function withArticle(type: string): string {
  if (type === 'float') return 'a number with a fraction';
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Writes a path as in JavaScript, such as variants[0].content. */
function fieldName(path: Array<string | number>): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? part : `${name}.${part}`;
  }, '');
}

function isTimestamp(value: string): boolean {
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}
