import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import {
  isBodyStream,
  MAX_BYTES,
  readBody,
} from '../../../../nodes/SocialPublishing/service/http/stream';

const never = new AbortController().signal;

const read = (chunks: Iterable<Buffer>) => readBody(Readable.from(chunks), never);

describe('a body as text', () => {
  test.each([
    ['in pieces, cut within a character', [Buffer.from([0xe2, 0x82]), Buffer.from([0xac])], '€'],
    ['that is empty', [], ''],
    ['with a byte order mark', [Buffer.from('\uFEFF{}')], '\uFEFF{}'],
  ])('%s', async (_, chunks, text) => {
    expect(await read(chunks)).toEqual({ kind: 'text', text });
  });

  test('is undecodable if it is not UTF-8', async () => {
    expect(await read([Buffer.from('"ü"', 'latin1')])).toEqual({
      kind: 'problem',
      problem: 'undecodable',
    });
  });
});

describe('the largest body', () => {
  const chunk = Buffer.alloc(MAX_BYTES / 4, ' ');

  test('accepts a body of exactly that size, and not of a byte more', async () => {
    const largest = [chunk, chunk, chunk, chunk];
    expect(await read(largest)).toMatchObject({ kind: 'text' });
    expect(await read([...largest, Buffer.from(' ')])).toMatchObject({ problem: 'tooLarge' });
  });

  test('stops what exceeds it, and destroys the stream', async () => {
    let given = 0;
    function* endless() {
      for (;;) {
        given++;
        yield chunk;
      }
    }
    const stream = Readable.from(endless());

    expect(await readBody(stream, never)).toEqual({
      kind: 'problem',
      problem: 'tooLarge',
    });
    expect(stream.destroyed).toBe(true);
    expect(given).toBeLessThan(30);
  });
});

test('a body that is not complete at the deadline is too slow, and its stream is destroyed', async () => {
  const stream = new Readable({ read: () => undefined });
  stream.push('{');
  const deadline = new AbortController();
  const reading = readBody(stream, deadline.signal);
  deadline.abort();

  expect(await reading).toEqual({ kind: 'problem', problem: 'tooSlow' });
  expect(stream.destroyed).toBe(true);
});

test('a body that starts after the deadline is not read', async () => {
  const stream = new Readable({ read: () => undefined });

  expect(await readBody(stream, AbortSignal.abort())).toEqual({
    kind: 'problem',
    problem: 'tooSlow',
  });
  expect(stream.destroyed).toBe(true);
});

test('a body that the deadline cuts off counts as too slow, even if the stream ends without an error', async () => {
  const deadline = new AbortController();
  const stream = {
    destroy: () => undefined,
    async *[Symbol.asyncIterator]() {
      yield await Promise.resolve(Buffer.from('{}'));
      deadline.abort();
    },
  };

  expect(await readBody(stream, deadline.signal)).toEqual({
    kind: 'problem',
    problem: 'tooSlow',
  });
});

test('a deadline after the end of a body changes nothing', async () => {
  const { signal } = new AbortController();
  await readBody(Readable.from([Buffer.from('{}')]), signal);

  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('what a stream throws is passed on', async () => {
  const stream = new Readable({ read: () => undefined });
  const error = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  const reading = readBody(stream, never);
  stream.destroy(error);

  expect(await reading).toEqual({ kind: 'broken', error });
});

describe('nesting', () => {
  const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const tooDeep = { kind: 'problem', problem: 'tooDeep' };

  test.each([
    ['lists', 100, lists(100)],
    ['objects', 100, objects(100)],
  ])('of %s is read down to %i levels', async (_, __, text) => {
    expect(await read([Buffer.from(text)])).toEqual({ kind: 'text', text });
  });

  test.each([
    ['lists of 101 levels', lists(101)],
    ['lists of 200,000 levels', lists(200_000)],
    ['objects of 101 levels', objects(101)],
    ['what follows a text that ends with a backslash', `["\\\\",${lists(100)}]`],
  ])('is too deep: %s', async (_, text) => {
    expect(await read([Buffer.from(text)])).toEqual(tooDeep);
  });

  test('does not count siblings', async () => {
    const text = `[${Array<string>(200).fill('[],{}').join()}]`;

    expect(await read([Buffer.from(text)])).toEqual({ kind: 'text', text });
  });

  test('does not count brackets in texts', async () => {
    const text = JSON.stringify({ a: `\\"${'[{'.repeat(200)}` });

    expect(await read([Buffer.from(text)])).toEqual({ kind: 'text', text });
  });
});

test.each([
  [undefined],
  [null],
  ['{}'],
  [Buffer.from('{}')],
  [{}],
  [{ destroy: () => undefined }],
  [{ destroy: true, [Symbol.asyncIterator]: () => undefined }],
])('%p is no stream', (value) => {
  expect(isBodyStream(value)).toBe(false);
});
