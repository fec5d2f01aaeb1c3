import type { NoResponse } from '../../../nodes/SocialPublishing/service/http/connectionError';
import type { HttpResponse } from '../../../nodes/SocialPublishing/service/http/response';
import { loadOf, waitBeforeRetry } from '../../../nodes/SocialPublishing/service/retry';
import { broken, neverMade, response } from './responses';

const now = Date.UTC(2026, 10, 21, 10, 0, 0);

interface Given {
  result: HttpResponse | NoResponse;
  writes?: boolean;
  number?: number;
  /** How long ago the request was first sent, in milliseconds. */
  since?: number;
  jitter?: number;
}

const waitFor = ({ result, writes = false, number = 1, since = 0, jitter = 0 }: Given) =>
  waitBeforeRetry({ number, since, result, writes }, now, jitter);

const unreadable: NoResponse = { responded: false, code: '', neverSent: false };
const ordinary = [400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 422, 499];
const redirects = [301, 302, 304, 307, 308];

describe('a read', () => {
  test.each([
    ...[500, 502, 504, 599].map((status): [string, HttpResponse, number] => [
      String(status),
      response(status),
      500,
    ]),
    ...[429, 503].map((status): [string, HttpResponse, number] => [
      String(status),
      response(status),
      1000,
    ]),
    ['a broken connection', broken, 500],
    ['a connection that was never made', neverMade, 500],
    ['an error without a code', unreadable, 500],
  ])('is repeated after %s', (_, result, wait) => {
    expect(waitFor({ result })).toBe(wait);
  });

  test.each([...ordinary, ...redirects])('is not repeated after %i', (status) => {
    expect(waitFor({ result: response(status) })).toBeUndefined();
  });
});

describe('a write', () => {
  test.each([
    ['429', response(429), 1000],
    ['a connection that was never made', neverMade, 500],
  ])('is repeated after %s', (_, result, wait) => {
    expect(waitFor({ result, writes: true })).toBe(wait);
  });

  test.each([
    ...[...ordinary, ...redirects, 500, 501, 502, 503, 504].map(
      (status): [string, HttpResponse] => [String(status), response(status)],
    ),
    ['503 with Retry-After', response(503, '', { 'retry-after': '1' })],
    ['a broken connection', broken],
    ['an error without a code', unreadable],
  ])('is not repeated after %s', (_, result) => {
    expect(waitFor({ result, writes: true })).toBeUndefined();
  });
});

describe('the wait', () => {
  test.each([
    [1, 0, 500],
    [2, 0, 1000],
    [3, 0, 2000],
    [1, 0.5, 625],
    [3, 0.5, 2500],
  ])('after try %i with a jitter of %p is %i ms', (number, jitter, expected) => {
    expect(waitFor({ result: response(502), number, jitter })).toBe(expected);
  });

  test.each([1, 2, 3])('after try %i that was refused is one second', (number) => {
    expect(waitFor({ result: response(503), number, jitter: 0.5 })).toBe(1000);
  });

  test('ends with the fourth try', () => {
    expect(waitFor({ result: response(503), number: 4 })).toBeUndefined();
  });

  test.each([
    ['as long as the service asks', '7', 7000],
    ['none where the service asks for none', '0', 0],
    ['none where its time has passed', 'Sat, 21 Nov 2026 09:59:00 GMT', 0],
    ['at most 30 seconds', '30', 30_000],
  ])('is %s', (_, retryAfter, expected) => {
    const result = response(429, '', { 'retry-after': retryAfter });

    expect(waitFor({ result, writes: true, jitter: 0.5 })).toBe(expected);
  });

  test.each([
    ['Retry-After names more than 30 seconds', { 'retry-after': '31' }],
    ['Retry-After names a far date', { 'retry-after': 'Sun, 22 Nov 2026 10:00:00 GMT' }],
    [
      'the quota is used up for the month',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-12-01T00:00:00.000Z' },
    ],
  ])('is too long when %s', (_, headers) => {
    expect(waitFor({ result: response(429, '', headers) })).toBeUndefined();
    expect(waitFor({ result: response(429, '', headers), writes: true })).toBeUndefined();
  });

  test.each([
    [119_500, 500],
    [119_501, undefined],
  ])('after %i ms of tries is %p', (since, expected) => {
    expect(waitFor({ result: response(502), since })).toBe(expected);
  });
});

describe('what the end of an exchange says about the load', () => {
  test.each<[string, HttpResponse]>([
    ['a success', response(200)],
    ['a refusal of the values', response(422)],
    ['a server error', response(500)],
    ['a server error that asks to wait', response(502, '', { 'retry-after': '7' })],
  ])('%s: the service accepts the load', (_, result) => {
    expect(loadOf(result, now)).toEqual({ kind: 'accepted' });
  });

  test.each([
    ['a broken connection', broken],
    ['a connection that was never made', neverMade],
  ])('%s: nothing', (_, result) => {
    expect(loadOf(result, now)).toEqual({ kind: 'lost' });
  });

  describe.each([429, 503])('a %i: too much', (status) => {
    test.each<[string, Record<string, string>, number]>([
      ['with the wait that it asks for', { 'retry-after': '7' }, 7000],
      ['with the longest wait that is kept', { 'retry-after': '30' }, 30_000],
      ['with none where it asks for a longer one', { 'retry-after': '31' }, 0],
      [
        'with none where its time has passed',
        { 'retry-after': 'Sat, 21 Nov 2026 09:59:00 GMT' },
        0,
      ],
      ['with a second where it asks for none', {}, 1000],
    ])('%s', (_, headers, wait) => {
      expect(loadOf(response(status, '', headers), now)).toEqual({ kind: 'refused', wait });
    });
  });
});
