import { z } from 'zod';
import { nextRun } from '../schedule';
import type { Store, Workspace } from '../store';
import { isHttpUrl } from '../urls';
import { ApiError } from './errors';

/** An integer in a query string, from `least` up. */
export function queryInteger(least: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'must be an integer')
    .transform(Number)
    .refine((value) => value >= least, `must be at least ${least}`);
}

/** The id of a record in a body: a JSON integer from 1 up. */
export const recordId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const text = z.string().refine((value) => value.trim() !== '', 'must not be empty');

/** ISO 8601 in UTC with milliseconds and a trailing Z, of a moment that exists. */
export const timestamp = z
  .string()
  .refine(isTimestamp, 'must be a UTC timestamp of the form YYYY-MM-DDTHH:mm:ss.sssZ');

export const mediaUrl = z.string().refine(isHttpUrl, 'must be an absolute http or https URL');

/** A cron expression of five fields that falls due some time. */
export const cronExpression = z.string().superRefine((value, context) => {
  try {
    if (nextRun(value, new Date())) return;
    context.addIssue({ code: 'custom', message: 'never falls due' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: 'custom', message: `must be a cron expression: ${reason}` });
  }
});

/**
 * Reads the query of a request.
 * @throws ApiError 400 that names the parameter
 */
export function parseQuery<Schema extends z.ZodTypeAny>(schema: Schema, query: unknown) {
  return parse(schema, query, (field, message) => {
    return new ApiError(400, 'invalid_parameter', message, field);
  });
}

/**
 * Reads the JSON body of a request.
 * @throws ApiError 415 for another content type, 400 for what isn't a JSON object, 422 that names
 * the field for one that isn't right
 */
export function parseBody<Schema extends z.ZodTypeAny>(
  schema: Schema,
  contentType: string | undefined,
  bytes: Buffer,
) {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ApiError(415, 'unsupported_media_type', 'Send the body as application/json.');
  }
  return parse(schema, parseJsonObject(bytes), (field, message) => {
    return new ApiError(422, 'invalid_field', message, field);
  });
}

/** The fields of a parsed body that its schema doesn't know. */
export function extraFields(body: object, shape: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(shape, name)));
}

/**
 * The workspace that a request is about.
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

function parse<Schema extends z.ZodTypeAny>(
  schema: Schema,
  value: unknown,
  refusal: (field: string, message: string) => ApiError,
): z.output<Schema> {
  const result = schema.safeParse(value, { errorMap });
  if (result.success) return result.data as z.output<Schema>;
  const issue = result.error.issues[0];
  const field = fieldName(issue?.path ?? []);
  throw refusal(field, `${field} ${issue?.message}.`);
}

/** Words that follow the name of the field. */
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

/** Writes a path as in JavaScript: variants[0].content. */
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
