import { Settings } from 'luxon';

import {
  connectionFailure,
  credentialFailure,
  shapeFailure,
  statusFailure,
} from '../../../nodes/SocialPublishing/service/failures';
import type { HttpResponse } from '../../../nodes/SocialPublishing/service/http/response';
import type { Failure } from '../../../nodes/SocialPublishing/service/outcome';
import { response } from './responses';

const now = Date.UTC(2026, 10, 21, 10, 0, 0);

const apiKey = 'spk_9/Ab+c=dEfG';

const credential = {
  baseUrl: 'https://social.example.com/api/v1',
  apiKey,
  workspaceId: '1',
  data: {},
};

const read = { credential, writes: false };
const write = { credential, writes: true };

describe('a refusal', () => {
  test.each([
    [400, 'invalidValues'],
    [401, 'keyNotAccepted'],
    [402, 'paymentRequired'],
    [403, 'notAllowed'],
    [404, 'notFound'],
    [405, 'wrongAddress'],
    [409, 'conflict'],
    [410, 'refused'],
    [413, 'tooLarge'],
    [422, 'invalidValues'],
    [429, 'tooManyRequests'],
    [451, 'refused'],
  ])('with %i is known by its code, for a read as for a write', (status, code) => {
    const ofRead = statusFailure(response(status), read, now);
    const ofWrite = statusFailure(response(status), write, now);

    expect(ofRead).toMatchObject({ code, certainty: 'failed', httpCode: status });
    expect(ofWrite).toEqual({ ...ofRead, certainty: 'refused' });
    expect(ofRead.message).not.toBe('');
    expect(ofRead.description).not.toBe('');
  });

  test('quotes the service before it says what to do', () => {
    const says = '{"field":"scheduledAt","message":"is in the past"}';
    const { description } = statusFailure(response(422, says), write, now);
    const { description: whatToDo } = statusFailure(response(422), write, now);

    expect(description).toContain('“scheduledAt: is in the past”.');
    expect(description.endsWith(whatToDo)).toBe(true);
  });
});

test('the text of the service is quoted without its last full stop, but with all others', () => {
  const { description } = statusFailure(response(409, '{"message":"v1.2 is taken."}'), write, now);

  expect(description).toContain('“v1.2 is taken”. ');
});

describe('a breakdown', () => {
  test.each([500, 501, 502, 503, 504, 520, 599, 408, 100])(
    'with %i leaves a write open and a read failed',
    (status) => {
      const failed = { code: 'serviceFailed', httpCode: status };

      expect(statusFailure(response(status), read, now)).toMatchObject({
        ...failed,
        certainty: 'failed',
      });
      expect(statusFailure(response(status), write, now)).toMatchObject({
        ...failed,
        certainty: 'uncertain',
      });
    },
  );

  test('tells until when the service asks to wait', () => {
    const busy = response(503, '', { 'retry-after': 'Sat, 21 Nov 2026 10:05:00 GMT' });

    expect(statusFailure(busy, read, now).message).toContain('2026-11-21 10:05:00 UTC');
    expect(statusFailure(busy, write, now).description).toContain('2026-11-21 10:05:00 UTC');
  });
});

describe('too many requests', () => {
  const usedUp = { 'x-ratelimit-remaining': '0' };

  test.each<[string, Record<string, string>, string, string | undefined]>([
    ['for now', { 'retry-after': '300' }, 'tooManyRequests', '2026-11-21 10:05:00 UTC'],
    ['without a time', {}, 'tooManyRequests', undefined],
    [
      'for this month',
      { ...usedUp, 'x-ratelimit-reset': '2026-12-01T00:00:00.000Z' },
      'quotaUsedUp',
      '2026-12-01 00:00:00 UTC',
    ],
    ['of the quota, without a time', usedUp, 'quotaUsedUp', undefined],
    ['until a time that has passed', { ...usedUp, 'retry-after': '0' }, 'quotaUsedUp', undefined],
  ])('%s', (_, headers, code, until) => {
    const failure = statusFailure(response(429, '', headers), write, now);
    const times = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \w+/;

    expect(failure.code).toBe(code);
    expect(times.exec(failure.message)?.[0]).toBe(until);
    expect(times.exec(failure.description)?.[0]).toBe(until);
  });
});

describe('closesCredential: every further request would fail in the same way', () => {
  test.each<[string, HttpResponse]>([
    ['401', response(401)],
    ['429 with no requests left', response(429, '', { 'x-ratelimit-remaining': '0' })],
    ['429 for longer than is waited for', response(429, '', { 'retry-after': '31' })],
    ['503 for longer than is waited for', response(503, '', { 'retry-after': '3600' })],
  ])('after %s', (_, refused) => {
    expect(statusFailure(refused, read, now).closesCredential).toBe(true);
    expect(statusFailure(refused, write, now).closesCredential).toBe(true);
  });

  test.each<[string, HttpResponse]>([
    ['400', response(400)],
    ['403, which may be about one workspace', response(403)],
    ['404', response(404)],
    ['429 for a while', response(429, '', { 'retry-after': '30' })],
    ['429 with requests left', response(429, '', { 'x-ratelimit-remaining': '7' })],
    ['500 with no requests left', response(500, '', { 'x-ratelimit-remaining': '0' })],
    ['503', response(503)],
    ['503 with no requests left', response(503, '', { 'x-ratelimit-remaining': '0' })],
    ['500 that asks to wait for long', response(500, '', { 'retry-after': '3600' })],
    ['400 that asks to wait for long', response(400, '', { 'retry-after': '3600' })],
  ])('not after %s', (_, refused) => {
    expect(statusFailure(refused, write, now)).not.toHaveProperty('closesCredential');
  });
});

describe('a redirect', () => {
  const to = { location: 'https://login.example.com/' };

  test.each([307, 308])('with %i did nothing', (status) => {
    expect(statusFailure(response(status, '', to), write, now)).toMatchObject({
      code: 'redirected',
      description: expect.stringContaining('https://login.example.com/') as string,
      certainty: 'refused',
      httpCode: status,
    });
  });

  test.each([300, 301, 302, 303])('with %i may follow a write', (status) => {
    expect(statusFailure(response(status, '', to), write, now)).toMatchObject({
      code: 'redirected',
      description: expect.stringContaining('https://login.example.com/') as string,
      certainty: 'uncertain',
      httpCode: status,
    });
    expect(statusFailure(response(status, '', to), read, now).certainty).toBe('failed');
  });

  test('without a target names only the address of the service', () => {
    const { description } = statusFailure(response(302), read, now);

    expect(description.match(/https?:\/\/[^) ]+/g)).toEqual(['https://social.example.com/api/v1']);
  });

  test('to a very long address is cut', () => {
    const far = response(302, '', { location: `https://example.com/${'x'.repeat(5000)}` });

    expect(statusFailure(far, read, now).description).toMatch(
      / https:\/\/example\.com\/x{280}…\. /,
    );
  });
});

test('a success without the documented body says what came instead', () => {
  expect(shapeFailure(response(200, '<html></html>'), 'posts', read)).toMatchObject({
    code: 'unexpectedResponse',
    certainty: 'failed',
    httpCode: 200,
  });
  expect(shapeFailure(response(204), 'post', write)).toMatchObject({
    code: 'unexpectedResponse',
    certainty: 'uncertain',
    httpCode: 204,
  });
});

describe('no answer', () => {
  test.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'EADDRNOTAVAIL',
  ])('from a service that was not reached, with %s', (code) => {
    const expected = {
      code: 'unreachable',
      message: expect.stringContaining('social.example.com') as string,
      description: expect.stringContaining(`(${code})`) as string,
      certainty: 'notSent',
    };

    expect(connectionFailure({ responded: false, code, neverSent: true }, read)).toEqual(expected);
    expect(connectionFailure({ responded: false, code, neverSent: true }, write)).toEqual(expected);
  });

  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
    ['CERT_HAS_EXPIRED', /CERT_HAS_EXPIRED/],
    ['CERT_NOT_YET_VALID', /CERT_NOT_YET_VALID/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /Base URL/],
  ])('from a service with a bad certificate, with %s', (code, named) => {
    for (const sent of [read, write]) {
      expect(connectionFailure({ responded: false, code, neverSent: true }, sent)).toMatchObject({
        code: 'untrustedCertificate',
        description: expect.stringMatching(named) as string,
        certainty: 'notSent',
      });
    }
  });

  test.each([
    ['another port', { host: '10.0.0.9', port: 3128 }, '10.0.0.9:3128'],
    ['another name', { host: 'proxy.example.com' }, 'proxy.example.com'],
  ])('from a proxy, known by %s', (_, peer, named) => {
    const refused = { responded: false, code: 'ECONNREFUSED', neverSent: true, peer } as const;

    expect(connectionFailure(refused, write)).toMatchObject({
      code: 'proxyUnreachable',
      message: expect.stringContaining(named) as string,
      certainty: 'notSent',
    });
  });

  test.each([[{ host: '10.0.0.9', port: 443 }], [{ host: 'social.example.com' }]])(
    'from the service itself, at %j',
    (peer) => {
      const refused = { responded: false, code: 'ECONNREFUSED', neverSent: true, peer } as const;

      expect(connectionFailure(refused, read).code).toBe('unreachable');
    },
  );

  test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_CANCELED', ''])(
    'that is complete, with "%s"',
    (code) => {
      const none = { responded: false, code, neverSent: false } as const;
      const expected = {
        code: 'noResponse',
        message: expect.stringContaining('social.example.com') as string,
        description: (code === ''
          ? expect.not.stringContaining('(')
          : expect.stringContaining(`(${code})`)) as string,
      };

      expect(connectionFailure(none, read)).toEqual({ ...expected, certainty: 'failed' });
      expect(connectionFailure(none, write)).toEqual({ ...expected, certainty: 'uncertain' });
    },
  );
});

test('a credential that cannot be used is a failure of its field', () => {
  const problem = {
    name: 'baseUrl',
    field: 'Base URL',
    problem: 'is empty',
    solution: 'Enter it.',
  } as const;
  expect(credentialFailure(problem)).toMatchObject({
    code: 'invalidCredential',
    message: expect.stringMatching(/^Base URL .* is empty$/) as string,
    description: 'Enter it.',
    certainty: 'notSent',
  });
});

describe('the API key', () => {
  const padding = 'x'.repeat(287);
  const failures: Array<[string, (key: string) => Failure]> = [
    [
      'an error text',
      (key) => statusFailure(response(400, JSON.stringify({ error: key })), read, now),
    ],
    [
      'an error text that is cut within it',
      (key) =>
        statusFailure(response(400, JSON.stringify({ error: `${padding}${key}` })), read, now),
    ],
    [
      'an error text of a server error',
      (key) => statusFailure(response(500, JSON.stringify({ message: key })), write, now),
    ],
    [
      'a field of an error',
      (key) =>
        statusFailure(response(400, JSON.stringify({ field: key, message: 'no' })), read, now),
    ],
    ['a status text', (key) => statusFailure(response(400, '', {}, `No ${key}`), read, now)],
    [
      'the target of a redirect',
      (key) => statusFailure(response(302, '', { location: `https://x/?k=${key}` }), read, now),
    ],
    [
      'the target of a redirect that is cut within it',
      (key) =>
        statusFailure(response(302, '', { location: `https://${padding}${key}` }), read, now),
    ],
    ['malformed JSON', (key) => shapeFailure(response(200, `{"key":"${key}"`), 'posts', read)],
    [
      'malformed JSON that is cut within it',
      (key) => shapeFailure(response(200, `${'x'.repeat(55)}${key}`), 'posts', write),
    ],
    [
      'the name of a field',
      (key) => shapeFailure(response(200, JSON.stringify({ [key]: 1 })), 'posts', read),
    ],
  ];
  const forms: Array<[string, string]> = [
    ['as it is', apiKey],
    ['as JSON may write it', 'spk_9\\/Ab+c=dEfG'],
    ['as URLs write it', 'spk_9%2FAb%2Bc%3DdEfG'],
  ];

  test.each(
    failures.flatMap(([place, fail]) =>
      forms.map(([form, key]): [string, string, Failure] => [place, form, fail(key)]),
    ),
  )('in %s, %s, is not passed on, not even in part', (_, __, failure) => {
    const told = JSON.stringify(failure);

    expect(told).toContain('[API');
    expect(told).not.toMatch(/spk_|dEfG/);
  });

  test('in an error text whose JSON writes it with escapes is not passed on', () => {
    const escaped = '{"message":"\\u0073pk_9\\/Ab\\u002bc=dEfG"}';

    expect(statusFailure(response(400, escaped), read, now).description).toContain('“[API key]”');
  });
});

describe('what the user reads first', () => {
  const credential = {
    baseUrl: 'https://social.example.com/api/v1',
    apiKey: 'key',
    workspaceId: '1',
    data: {},
  };
  const notFound = {
    responded: true as const,
    status: 404,
    statusText: 'Not Found',
    headers: {},
    text: '',
  };

  test.each([
    ['https://social.example.com/api/v1', false],
    ['https://social.example.com/api/v12', false],
    ['https://social.example.com/api/v1/posts', true],
    ['https://social.example.com/api', true],
    ['https://social.example.com', true],
  ])('of a 404 at %s is the likeliest cause: the address (%p)', (baseUrl, isAddress) => {
    const sent = { credential: { ...credential, baseUrl }, writes: false };
    const { description } = statusFailure(notFound, sent, now);

    expect(description.indexOf('Base URL') < description.indexOf('Workspace ID')).toBe(isAddress);
  });

  test('is a time in digits that everybody reads', () => {
    const { defaultLocale } = Settings;
    Settings.defaultLocale = 'ar-EG';
    try {
      const busy = { ...notFound, status: 503, headers: { 'retry-after': '300' } };

      expect(statusFailure(busy, { credential, writes: false }, now).message).toMatch(
        /2026-11-21 10:05:00 UTC$/,
      );
    } finally {
      Settings.defaultLocale = defaultLocale;
    }
  });

  test('is a time in the zone of the workflow', () => {
    const busy = { ...notFound, status: 503, headers: { 'retry-after': '300' } };
    const failure = statusFailure(busy, { credential, writes: false, zone: 'Asia/Tokyo' }, now);

    expect(failure.message).toMatch(/ 2026-11-21 19:05:00 Asia\/Tokyo$/);
  });
});
