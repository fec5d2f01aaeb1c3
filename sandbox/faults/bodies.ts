import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const post = JSON.stringify({
  id: 1,
  workspaceId: 1,
  status: 'scheduled',
  scheduledAt: '2040-01-02T03:04:05.678Z',
  createdAt: '2030-01-02T03:04:05.678Z',
});

/** A list of posts that never ends. It is made as the client reads it. */
export function endlessList(): Readable {
  const chunk = Buffer.from(`${post},`.repeat(500));
  function* chunks() {
    yield Buffer.from('{"posts":[');
    for (;;) yield chunk;
  }
  return Readable.from(chunks(), { objectMode: false });
}

/** JSON as gzip, with white space after its first brace: about 1 kB on the wire for each MiB. */
export function gzipBomb(json: string, mebibytes: number): Readable {
  const whiteSpace = gzipSync(Buffer.alloc(2 ** 20, ' '));
  function* members() {
    yield gzipSync(json.slice(0, 1));
    for (let count = 0; count < mebibytes; count += 1) yield whiteSpace;
    yield gzipSync(json.slice(1));
  }
  return Readable.from(members(), { objectMode: false });
}

/** A text, one byte at a time. The first byte comes at once. */
export function slowBytes(text: string, everyMs: number): Readable {
  async function* bytes() {
    for (const [index, byte] of Buffer.from(text).entries()) {
      if (index > 0) await sleep(everyMs, undefined, { ref: false });
      yield Buffer.of(byte);
    }
  }
  return Readable.from(bytes(), { objectMode: false });
}

/**
 * Adds a field of nested arrays to the first record in JSON, or to the JSON itself when it has no
 * record.
 */
export function deeplyNested(json: string, depth: number): string {
  const outer = json.indexOf('{') + 1;
  const inner = json.indexOf('{', outer) + 1;
  const start = inner === 0 ? outer : inner;
  const nested = `"nested":${'['.repeat(depth)}${']'.repeat(depth)},`;
  return json.slice(0, start) + nested + json.slice(start);
}
