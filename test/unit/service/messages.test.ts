import { Settings } from 'luxon';

import type { HttpResponse } from '../../../nodes/SocialPublishing/service/http/response';
import {
  connectionFailure,
  credentialFailure,
  shapeFailure,
  statusFailure,
} from '../../../nodes/SocialPublishing/service/messages';
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

const address =
  'Check the Base URL in the credential (https://social.example.com/api/v1): it must be the address of the service and end in /api/v1.';
const mayBeDone =
  'Look in the service before you run this again: the request may already have been carried out.';

describe('a refusal', () => {
  test.each([
    [400, 'The service refused the values (400)', /^Correct the field that the service names/],
    [401, 'The API key was not accepted (401)', /Settings, API Keys/],
    [402, 'The service asks for a payment (402)', /^Check the plan and the payment details/],
    [403, 'This API key is not allowed to do this (403)', /API access .*workspace/],
    [404, 'The service did not find what was asked for (404)', /Workspace ID .*Base URL/],
    [405, 'This address does not accept such a request (405)', /^Check the Base URL/],
    [409, 'The service reports a conflict with what it already has (409)', /^It may exist already/],
    [410, 'The service refused the request (410)', /^Correct what the service names/],
    [413, 'The request is too large for the service (413)', /^Shorten the text/],
    [422, 'The service refused the values (422)', /^Correct the field that the service names/],
    [429, 'The service accepts no more requests right now', /^Wait before you run this again/],
    [451, 'The service refused the request (451)', /^Correct what the service names/],
  ])('with %i says what to do', (status, message, description) => {
    const ofRead = statusFailure(response(status), read, now);
    const ofWrite = statusFailure(response(status), write, now);

    expect(ofRead).toMatchObject({ message, certainty: 'failed', httpCode: status });
    expect(ofRead.description).toMatch(description);
    expect(ofWrite).toMatchObject({ message, certainty: 'refused', httpCode: status });
    expect(ofWrite.description).toBe(ofRead.description);
  });

  test('quotes the service before it says what to do', () => {
    const { description } = statusFailure(
      response(422, '{"field":"scheduledAt","message":"is in the past"}'),
      write,
      now,
    );

    expect(description).toBe(
      'The service says: “scheduledAt: is in the past”. Correct the field that the service names and run this again.',
    );
  });
});

test('what the service says is quoted without its full stop, and with all others', () => {
  const { description } = statusFailure(response(409, '{"message":"v1.2 is taken."}'), write, now);

  expect(description).toMatch(/^The service says: “v1\.2 is taken”\. It may exist already/);
});

describe('a breakdown', () => {
  test.each([500, 501, 502, 503, 504, 520, 599, 408, 100])(
    'with %i leaves a write open and a read failed',
    (status) => {
      expect(statusFailure(response(status), read, now)).toEqual({
        message: `The service failed to respond (${status})`,
        description:
          'Run this again later. If the problem lasts, tell the operator of the service.',
        certainty: 'failed',
        httpCode: status,
      });
      expect(statusFailure(response(status), write, now)).toEqual({
        message: `The service failed while it handled the request (${status}), which may or may not have been carried out`,
        description: mayBeDone,
        certainty: 'uncertain',
        httpCode: status,
      });
    },
  );

  test('tells until when the service asks to wait', () => {
    const busy = response(503, '', { 'retry-after': 'Sat, 21 Nov 2026 10:05:00 GMT' });

    expect(statusFailure(busy, read, now)).toMatchObject({
      message: 'The service failed to respond (503) and asks to wait until 2026-11-21 10:05:00 UTC',
      description: 'Run this again after 2026-11-21 10:05:00 UTC.',
    });
    expect(statusFailure(busy, write, now).description).toBe(
      `${mayBeDone} The service asks to wait until 2026-11-21 10:05:00 UTC.`,
    );
  });
});

describe('too many requests', () => {
  const usedUp = { 'x-ratelimit-remaining': '0' };

  test.each<[string, Record<string, string>, string, string]>([
    [
      'for now',
      { 'retry-after': '300' },
      'The service accepts no more requests right now and asks to wait until 2026-11-21 10:05:00 UTC',
      'Run this again after 2026-11-21 10:05:00 UTC. To make this less likely, lower Concurrency in the options.',
    ],
    [
      'without a time',
      {},
      'The service accepts no more requests right now',
      'Wait before you run this again. To make this less likely, lower Concurrency in the options.',
    ],
    [
      'for this month',
      { ...usedUp, 'x-ratelimit-reset': '2026-12-01T00:00:00.000Z' },
      'The request quota of this API key is used up until 2026-12-01 00:00:00 UTC',
      'Run this again after 2026-12-01 00:00:00 UTC. You can also upgrade your plan.',
    ],
    [
      'of the quota, without a time',
      usedUp,
      'The request quota of this API key is used up',
      'Wait before you run this again. You can also upgrade your plan.',
    ],
    [
      'until a time that has passed',
      { ...usedUp, 'retry-after': '0' },
      'The request quota of this API key is used up',
      'Wait before you run this again. You can also upgrade your plan.',
    ],
  ])('%s', (_, headers, message, description) => {
    expect(statusFailure(response(429, '', headers), write, now)).toMatchObject({
      message,
      description,
    });
  });
});

describe('every further request would meet the same end', () => {
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
    expect(statusFailure(response(status, '', to), write, now)).toEqual({
      message: `The service redirects to another address (${status})`,
      description: `It names https://login.example.com/. Redirects are not followed, so that the API key goes nowhere else. ${address}`,
      certainty: 'refused',
      httpCode: status,
    });
  });

  test.each([300, 301, 302, 303])('with %i may follow a write', (status) => {
    expect(statusFailure(response(status, '', to), write, now)).toEqual({
      message: `The service redirects to another address (${status}), so the request may or may not have been carried out`,
      description: `It names https://login.example.com/. Redirects are not followed, so that the API key goes nowhere else. ${address} ${mayBeDone}`,
      certainty: 'uncertain',
      httpCode: status,
    });
    expect(statusFailure(response(status, '', to), read, now).certainty).toBe('failed');
  });

  test('without a target names none', () => {
    expect(statusFailure(response(302), read, now).description).toBe(
      `Redirects are not followed, so that the API key goes nowhere else. ${address}`,
    );
  });

  test('to an endless address is cut', () => {
    const far = response(302, '', { location: `https://example.com/${'x'.repeat(5000)}` });

    expect(statusFailure(far, read, now).description).toMatch(
      /^It names https:\/\/example\.com\/x{280}…\. /,
    );
  });
});

test('a success that is none says what came instead', () => {
  expect(shapeFailure(response(200, '<html></html>'), 'posts', read)).toEqual({
    message: 'The service responded with success (200) but sent a web page',
    description: address,
    certainty: 'failed',
    httpCode: 200,
  });
  expect(shapeFailure(response(204), 'post', write)).toEqual({
    message:
      'The service responded with success (204) but sent an empty response, so the request may or may not have been carried out',
    description: `${mayBeDone} ${address}`,
    certainty: 'uncertain',
    httpCode: 204,
  });
});

describe('no answer', () => {
  test.each([
    ['ECONNREFUSED', 'the connection was refused'],
    ['ENOTFOUND', 'no such host was found'],
    ['EAI_AGAIN', 'the name of the host could not be looked up'],
    ['EHOSTUNREACH', 'the host cannot be reached'],
    ['ENETUNREACH', 'the network cannot be reached'],
    ['ETIMEDOUT', 'no response came in time'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
    ['EADDRNOTAVAIL', 'the connection failed'],
  ])('from a service that was never reached, with %s', (code, problem) => {
    const expected = {
      message: `The service at social.example.com could not be reached: ${problem}`,
      description: `${address} Check also that the service is running and that n8n can reach it. (${code})`,
      certainty: 'notSent',
    };

    expect(connectionFailure({ responded: false, code, neverSent: true }, read)).toEqual(expected);
    expect(connectionFailure({ responded: false, code, neverSent: true }, write)).toEqual(expected);
  });

  test.each([
    ['ECONNRESET', 'the connection broke', ' (ECONNRESET)'],
    ['EPIPE', 'the connection broke', ' (EPIPE)'],
    ['ETIMEDOUT', 'no response came in time', ' (ETIMEDOUT)'],
    ['ECONNABORTED', 'no response came in time', ' (ECONNABORTED)'],
    ['ERR_CANCELED', 'the execution was canceled', ' (ERR_CANCELED)'],
    ['', 'the connection failed', ''],
  ])('that is complete, with "%s"', (code, problem, named) => {
    const none = { responded: false, code, neverSent: false } as const;

    expect(connectionFailure(none, read)).toEqual({
      message: `No complete response came from social.example.com: ${problem}`,
      description: `Run this again later.${named}`,
      certainty: 'failed',
    });
    expect(connectionFailure(none, write)).toEqual({
      message: `No complete response came from social.example.com: ${problem}. The request may or may not have been carried out`,
      description: `${mayBeDone}${named}`,
      certainty: 'uncertain',
    });
  });
});

test('a credential that cannot be used is told by its field', () => {
  const problem = { field: 'Base URL', problem: 'is empty', solution: 'Enter it.' };
  expect(credentialFailure(problem)).toEqual({
    message: 'Base URL (in the credential) is empty',
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

    expect(statusFailure(response(400, escaped), read, now).description).toMatch(
      /^The service says: “\[API key\]”\. /,
    );
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
    ['https://social.example.com/api/v1', /^[^.]*\. Check the Workspace ID.*Check the Base URL/],
    ['https://social.example.com/api/v12', /^[^.]*\. Check the Workspace ID.*Check the Base URL/],
    [
      'https://social.example.com/api/v1/posts',
      /^[^.]*\. Check the Base URL.*Check the Workspace ID/,
    ],
    ['https://social.example.com/api', /^[^.]*\. Check the Base URL.*Check the Workspace ID/],
    ['https://social.example.com', /^[^.]*\. Check the Base URL.*Check the Workspace ID/],
  ])('of a 404 at %s is the likeliest cause', (baseUrl, words) => {
    const sent = { credential: { ...credential, baseUrl }, writes: false };
    expect(statusFailure(notFound, sent, now).description).toMatch(words);
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

    expect(failure.message).toBe(
      'The service failed to respond (503) and asks to wait until 2026-11-21 19:05:00 Asia/Tokyo',
    );
  });
});
