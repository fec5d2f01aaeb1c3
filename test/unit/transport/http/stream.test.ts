import { Readable } from 'node:stream';

import {
  isBodyStream,
  MAX_BYTES,
  readBody,
} from '../../../../nodes/SocialPublishing/transport/http/stream';

const never = new AbortController().signal;

const read = (chunks: Iterable<Buffer>, contentType?: string) =>
  readBody(Readable.from(chunks), contentType, never);

describe('what is text', () => {
  test.each([
    ['in pieces, cut within a character', [Buffer.from([0xe2, 0x82]), Buffer.from([0xac])], '€'],
    ['that is empty', [], ''],
    ['with a byte order mark', [Buffer.from('\uFEFF{}')], '{}'],
  ])('%s', async (_, chunks, text) => {
    expect(await read(chunks)).toEqual({ kind: 'text', text });
  });

  test.each([
    ['UTF-8 that is said to be Latin-1', Buffer.from('"ü"'), 'text/json; charset=iso-8859-1'],
    ['Latin-1 that says so', Buffer.from('"ü"', 'latin1'), 'text/json; Charset="ISO-8859-1"'],
    ['UTF-16 that says so', Buffer.from('"ü"', 'utf16le'), 'text/json;charset=utf-16le'],
  ])('%s', async (_, bytes, contentType) => {
    expect(await read([bytes], contentType)).toEqual({ kind: 'text', text: '"ü"' });
  });

  test('is not what fits neither UTF-8 nor the charset that is named', async () => {
    const bytes = Buffer.from('"ü"', 'latin1');

    for (const named of [
      undefined,
      'text/json',
      'text/json; charset=utf-8',
      'a; charset=klingon',
    ]) {
      expect(await read([bytes], named)).toEqual({ kind: 'problem', problem: 'undecodable' });
    }
  });
});

describe('the bound of size', () => {
  const chunk = Buffer.alloc(MAX_BYTES / 4, ' ');

  test('lets pass what reaches it', async () => {
    expect(await read([chunk, chunk, chunk, chunk])).toMatchObject({ kind: 'text' });
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

    expect(await readBody(stream, undefined, never)).toEqual({
      kind: 'problem',
      problem: 'tooLarge',
    });
    expect(stream.destroyed).toBe(true);
    expect(given).toBeLessThan(30);
  });
});

test('a body that has not ended at the deadline is given up, and its stream destroyed', async () => {
  const stream = new Readable({ read: () => undefined });
  stream.push('{');
  const deadline = new AbortController();
  const reading = readBody(stream, undefined, deadline.signal);
  deadline.abort();

  expect(await reading).toEqual({ kind: 'problem', problem: 'tooSlow' });
  expect(stream.destroyed).toBe(true);
});

test('what a stream throws is passed on', async () => {
  const stream = new Readable({ read: () => undefined });
  const error = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  const reading = readBody(stream, undefined, never);
  stream.destroy(error);

  expect(await reading).toEqual({ kind: 'broken', error });
});

describe('nesting', () => {
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));

  test.each([
    [100, 'text'],
    [101, 'problem'],
    [200_000, 'problem'],
  ])('of %i levels is a %s', async (levels, kind) => {
    expect(await read([nested(levels)])).toMatchObject({ kind });
  });

  test('does not count brackets in texts', async () => {
    const text = JSON.stringify({ a: `\\"${'[{'.repeat(200)}` });

    expect(await read([Buffer.from(text)])).toEqual({ kind: 'text', text });
  });
});

test.each([[undefined], [null], ['{}'], [Buffer.from('{}')], [{}]])('%p is no stream', (value) => {
  expect(isBodyStream(value)).toBe(false);
});
