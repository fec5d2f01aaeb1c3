import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object of JSON: not an array, and not null. */
export const isObject = (value: unknown): value is IDataObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON, which may begin with a byte order mark; `undefined` when it is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
