import { Readable } from 'node:stream';

import { isSuccess, readResponse } from '../../../../nodes/SocialPublishing/service/http/response';
import { response } from '../responses';

describe('readResponse', () => {
  const { signal } = new AbortController();

  test('reads a full response', async () => {
    expect(
      await readResponse(
        {
          statusCode: 429,
          statusMessage: 'Too Many Requests',
          headers: { 'Retry-After': '5', 'X-RateLimit-Limit': ['10', '20'], Gone: undefined },
          body: Readable.from([Buffer.from('{'), Buffer.from('}')]),
        },
        signal,
      ),
    ).toEqual({
      responded: true,
      status: 429,
      statusText: 'Too Many Requests',
      headers: { 'retry-after': '5', 'x-ratelimit-limit': '10, 20', gone: undefined },
      text: '{}',
    });
  });

  test.each([
    ['a text', '{}', '{}'],
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['bytes', Buffer.from('{}'), ''],
    ['an object', { post: {} }, ''],
  ])('reads a body that is %s and no stream', async (_, body, text) => {
    expect(await readResponse({ statusCode: 200, headers: {}, body }, signal)).toEqual({
      responded: true,
      status: 200,
      statusText: '',
      headers: {},
      text,
    });
  });

  test('says why a body was not read', async () => {
    const body = new Readable({ read: () => undefined });

    expect(
      await readResponse({ statusCode: 200, headers: {}, body }, AbortSignal.abort()),
    ).toMatchObject({ responded: true, status: 200, text: '', problem: 'tooSlow' });
  });

  test('with a body that breaks off is none', async () => {
    const body = new Readable({ read: () => undefined });
    const reading = readResponse({ statusCode: 200, headers: {}, body }, signal);
    body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));

    expect(await reading).toEqual({ responded: false, code: 'ECONNRESET', neverSent: false });
  });
});

test.each([
  [199, false],
  [200, true],
  [201, true],
  [204, true],
  [299, true],
  [300, false],
  [404, false],
  [500, false],
])('%i is a success: %p', (status, expected) => {
  expect(isSuccess(response(status))).toBe(expected);
});
