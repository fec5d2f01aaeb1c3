import { decodeUtf8 } from '../../../shared/json';

/** The most that is read of one response, in bytes after decompression. */
export const MAX_BYTES = 32 * 1024 * 1024;

/** How deep the JSON of a response may be nested. */
export const MAX_LEVELS = 100;

/** Why the body of a response was not read, or cannot be. */
export type BodyProblem = 'tooLarge' | 'tooSlow' | 'undecodable' | 'tooDeep';

/** The body as text, why it is not read, or what the stream threw when the connection broke. */
export type BodyResult =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: BodyProblem }
  | { readonly kind: 'broken'; readonly error: unknown };

const problem = (what: BodyProblem): BodyResult => ({ kind: 'problem', problem: what });

/** A stream as the HTTP helpers of n8n give it, decompressed. */
export interface BodyStream extends AsyncIterable<Uint8Array> {
  destroy(): void;
}

export const isBodyStream = (value: unknown): value is BodyStream =>
  typeof value === 'object' &&
  value !== null &&
  Symbol.asyncIterator in value &&
  'destroy' in value &&
  typeof value.destroy === 'function';

/**
 * Reads no more than {@link MAX_BYTES}, until the deadline aborts. Then the stream is destroyed,
 * and with it the connection.
 */
export async function readBody(stream: BodyStream, deadline: AbortSignal): Promise<BodyResult> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stop = (): void => stream.destroy();
  if (deadline.aborted) stop();
  deadline.addEventListener('abort', stop);
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > MAX_BYTES) return problem('tooLarge');
      chunks.push(chunk);
    }
  } catch (error) {
    return deadline.aborted ? problem('tooSlow') : { kind: 'broken', error };
  } finally {
    deadline.removeEventListener('abort', stop);
  }
  // A stream that was destroyed between two chunks may end without an error.
  if (deadline.aborted) return problem('tooSlow');
  const text = decodeUtf8(Buffer.concat(chunks, length));
  if (text === undefined) return problem('undecodable');
  return isTooDeep(text) ? problem('tooDeep') : { kind: 'text', text };
}

/** Whether JSON is nested deeper than n8n can pass on. */
function isTooDeep(text: string): boolean {
  let level = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') {
      inString = true;
    } else if (character === '[' || character === '{') {
      if (++level > MAX_LEVELS) return true;
    } else if (character === ']' || character === '}') {
      level--;
    }
  }
  return false;
}
