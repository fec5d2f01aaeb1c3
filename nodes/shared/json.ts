import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object of JSON: not an array, and not null. */
export const isObject = (value: unknown): value is IDataObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Decodes UTF-8, with a byte order mark if there is one; `undefined` when the bytes are malformed. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses JSON, which may begin with a byte order mark; `undefined` when it is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
