import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { IRun } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { listen } from '../support/server';
import type { CredentialEntries } from './harness';
import { nodeError, readLog, readWorkflow, records, runWorkflow, useSandbox } from './harness';

const service = useSandbox();

/** What the user reads when a node failed. */
interface ShownFailure {
  message: string;
  description: string;
}

function failureOf(run: IRun, nodeName: string): ShownFailure {
  const { message, description } = nodeError(run, nodeName);
  return { message, description: description ?? '' };
}

async function failedRead(
  credentials: CredentialEntries = service.credentials(),
): Promise<ShownFailure> {
  return failureOf(await runWorkflow(readWorkflow('post.getAll'), { credentials }), 'Get posts');
}

async function failedWrite(
  credentials: CredentialEntries = service.credentials(),
): Promise<ShownFailure> {
  const run = await runWorkflow(readWorkflow('agent.create'), {
    credentials,
    input: [{ name: 'Morning Ideas', schedule: '0 6 * * 1-5', active: true }],
  });
  return failureOf(run, 'Save agent');
}

const agentsCreated = () => service.sandbox.store.agents.length;

const respondWith = (status: number, body?: unknown, headers: Record<string, string> = {}) =>
  service.sandbox.faults.add({
    kind: 'status',
    status,
    ...(body !== undefined && { body }),
    headers: { 'Retry-After': '0', ...headers },
  });

describe('a refusal by the service', () => {
  test('401: says where to get the key from, after one request', async () => {
    const { message, description } = await failedRead(
      service.credentials({ apiKey: 'spk_mistyped' }),
    );

    expect(message).toBe('The API key was not accepted (401) [item 0]');
    expect(description).toMatch(/Settings, API Keys/);
    expect(description).toMatch(/API Key of the credential/);
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test('403: a Creator key is told about its plan', async () => {
    const { message, description } = await failedRead(
      service.credentials({ apiKey: service.sandbox.keys.creator }),
    );

    expect(message).toBe('This API key is not allowed to do this (403) [item 0]');
    expect(description).toMatch(/plan of the key includes API access/);
  });

  test('404: a workspace that does not exist', async () => {
    const { message, description } = await failedRead(service.credentials({ workspaceId: '77' }));

    expect(message).toBe('The service did not find what was asked for (404) [item 0]');
    expect(description).toContain('There is no workspace 77”.');
    expect(description).toContain('Check the Workspace ID');
  });

  test.each([
    [402, 'The service asks for a payment (402)'],
    [405, 'This address does not accept such a request (405)'],
    [409, 'The service reports a conflict with what it already has (409)'],
    [410, 'The service refused the request (410)'],
    [413, 'The request is too large for the service (413)'],
    [415, 'The service refused the request (415)'],
    [422, 'The service refused the values (422)'],
    [451, 'The service refused the request (451)'],
    [499, 'The service refused the request (499)'],
  ])('%d: one request, read or write, and nothing is created', async (status, message) => {
    respondWith(status, { message: 'So says the service' });

    for (const failure of [await failedRead(), await failedWrite()]) {
      expect(failure.message).toBe(`${message} [item 0]`);
      expect(failure.description).toMatch(/^The service says: “So says the service”\. .{20,}/);
    }
    expect(service.sandbox.requests).toHaveLength(2);
    expect(agentsCreated()).toBe(0);
  });

  test('the reason is taken from wherever services usually put it', async () => {
    const bodies = [
      { message: 'In words' },
      { error: 'In words' },
      { error: { code: 'x', message: 'In words' } },
      { errors: ['In words'] },
      { errors: [{ detail: 'In words' }] },
      { detail: 'In words' },
      { title: 'In words' },
    ];
    for (const body of bodies) {
      service.sandbox.faults.clear();
      respondWith(400, body);

      expect((await failedRead()).description).toMatch(/^The service says: “In words”\. /);
    }
  });

  test('without a reason the text of the status stands in for it', async () => {
    respondWith(418, '');

    expect((await failedRead()).description).toMatch(/^The service says: “I'm a teapot”\. /i);
  });

  test('a quota that is used up is told with the time of its renewal', async () => {
    respondWith(
      429,
      { message: 'Quota exceeded' },
      { 'Retry-After': '', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '2056752000' },
    );

    const { message } = await failedRead();

    expect(message).toBe(
      'The request quota of this API key is used up until 2035-03-06 00:00:00 UTC [item 0]',
    );
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test('a wait that is too long is told and not waited for', async () => {
    service.sandbox.faults.add({ kind: 'rateLimit', retryAfter: new Date('2035-03-05T20:00:00Z') });

    const { message, description } = await failedWrite();

    expect(message).toBe(
      'The service accepts no more requests right now and asks to wait until 2035-03-05 20:00:00 UTC [item 0]',
    );
    expect(description).toContain('Run this again after 2035-03-05 20:00:00 UTC.');
    expect(service.sandbox.requests).toHaveLength(1);
    expect(agentsCreated()).toBe(0);
  });
});

describe('a breakdown of the service', () => {
  test.each([500, 502, 503, 504])('%d: a read is tried 4 times', async (status) => {
    respondWith(status, '<html><body>Bad gateway</body></html>');

    const { message, description } = await failedRead();

    expect(message).toBe(`The service failed to respond (${status}) [item 0]`);
    expect(description).toMatch(/Run this again later/);
    expect(description).toMatch(/It was tried 4 times/);
    expect(description).not.toContain('<');
    expect(service.sandbox.requests).toHaveLength(4);
  });

  test.each([500, 502, 503, 504])('%d: a write is tried once and is uncertain', async (status) => {
    respondWith(status);

    const { message, description } = await failedWrite();

    expect(message).toBe(
      `The service failed while it handled the request (${status}), which may or may not have been carried out [item 0]`,
    );
    expect(description).toMatch(/Look in the service before you run this again/);
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test('a read that succeeds on its second try is no failure', async () => {
    service.sandbox.addPosts(1);
    service.sandbox.faults.add({ kind: 'status', status: 503, times: 1 });

    const run = await runWorkflow(readWorkflow('post.getAll'), {
      credentials: service.credentials(),
    });

    expect(records(run, 'Get posts')).toHaveLength(1);
    expect(service.sandbox.requests).toHaveLength(2);
  });

  test('429 is waited for, and the write is carried out once', async () => {
    service.sandbox.faults.add({ kind: 'rateLimit', retryAfter: 0, times: 2 });

    await runWorkflow(readWorkflow('agent.create'), {
      credentials: service.credentials(),
      input: [{ name: 'Morning Ideas', schedule: '0 6 * * 1-5', active: true }],
    });

    expect(service.sandbox.requests).toHaveLength(3);
    expect(agentsCreated()).toBe(1);
  });
});

describe('a success that is none', () => {
  const shapes: Array<[string, Fault, string]> = [
    ['a web page', { kind: 'html' }, 'a web page'],
    ['an empty body', { kind: 'empty' }, 'an empty response'],
    [
      'JSON of another shape',
      { kind: 'wrongShape' },
      'an object without a usable "%" (it has result)',
    ],
    ['an empty object', { kind: 'wrongShape', body: {} }, 'an object without "%"'],
    ['a list', { kind: 'wrongShape', body: [] }, 'a list instead of an object'],
    ['a text', { kind: 'wrongShape', body: 'posts' }, 'a string instead of an object'],
  ];

  test.each(shapes)('%s: a read says what came instead', async (_what, fault, instead) => {
    service.sandbox.faults.add(fault);

    const { message, description } = await failedRead();

    expect(message).toBe(
      `The service responded with success (200) but sent ${instead.replace('%', 'posts')} [item 0]`,
    );
    expect(description).toContain(
      `Check the Base URL in the credential (${service.sandbox.baseUrl})`,
    );
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test.each(shapes)(
    '%s: a write is uncertain and isn’t repeated',
    async (_what, fault, instead) => {
      service.sandbox.faults.add(fault);

      const { message, description } = await failedWrite();

      expect(message).toContain(
        `sent ${instead.replace('%', 'agent')}, so the request may or may not`,
      );
      expect(description).toMatch(/Look in the service before you run this again/);
      expect(service.sandbox.requests).toHaveLength(1);
      expect(agentsCreated()).toBe(1);
    },
  );

  test.each<[string, unknown]>([
    ['posts that are an object', { posts: { 1: {} }, total: 1 }],
    ['posts that are texts', { posts: ['1', '2'], total: 2 }],
    ['posts that are null', { posts: null, total: 0 }],
  ])('%s', async (_what, body) => {
    service.sandbox.faults.add({ kind: 'wrongShape', body });

    expect((await failedRead()).message).toBe(
      'The service responded with success (200) but sent an object without a usable "posts" (it has posts, total) [item 0]',
    );
  });

  test('malformed JSON is quoted in short', async () => {
    service.sandbox.faults.add({ kind: 'malformedJson' });

    expect((await failedRead()).message).toMatch(
      /but sent a response that is not valid JSON \(it begins with “\{'posts':\[\]/,
    );
  });

  test('JSON that breaks off with its connection is a broken connection', async () => {
    service.sandbox.faults.add({ kind: 'truncated' });

    const { message } = await failedWrite();

    expect(message).toMatch(/^No complete response came from 127\.0\.0\.1:\d+: .* may or may not/);
    expect(agentsCreated()).toBe(1);
  });
});

describe('no answer', () => {
  test('a refused connection names the host and what to check', async () => {
    const gone = await listen(() => undefined);
    await gone.close();
    const credentials = service.credentials({ baseUrl: `${gone.origin}/api/v1` });

    const host = gone.origin.replace('http://', '');
    const failures = await Promise.all([failedRead(credentials), failedWrite(credentials)]);

    for (const { message, description } of failures) {
      expect(message).toBe(
        `The service at ${host} could not be reached: the connection was refused [item 0]`,
      );
      expect(description).toContain(`Check the Base URL in the credential (${gone.origin}/api/v1)`);
      expect(description).toContain('that the service is running');
    }
  });

  test('an address that n8n is set up to block was never reached', async () => {
    const protection = Container.get(SsrfProtectionConfig);
    protection.enabled = true;
    const failures = await Promise.all([failedRead(), failedWrite()]).finally(() => {
      protection.enabled = false;
    });

    for (const { message, description } of failures) {
      expect(message).toMatch(
        /^The service at 127\.0\.0\.1:\d+ could not be reached: n8n is set up to block this address/,
      );
      expect(description).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
    }
    expect(service.sandbox.requests).toEqual([]);
  });

  test('a broken connection leaves a write uncertain, after one request', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true });

    const { message, description } = await failedWrite();

    expect(message).toMatch(
      /^No complete response came from 127\.0\.0\.1:\d+: the connection broke\. /,
    );
    expect(message).toContain('may or may not have been carried out');
    expect(description).toMatch(/Look in the service before you run this again/);
    expect(service.sandbox.requests).toHaveLength(1);
    expect(agentsCreated()).toBe(1);
  });

  test('a read goes on after a broken connection', async () => {
    service.sandbox.addPosts(1);
    service.sandbox.faults.add({ kind: 'reset', times: 1 });

    const run = await runWorkflow(readWorkflow('post.getAll'), {
      credentials: service.credentials(),
    });

    expect(records(run, 'Get posts')).toHaveLength(1);
    expect(service.sandbox.requests).toHaveLength(2);
  });

  test('a redirect is not followed, and its target is named', async () => {
    const elsewhere = await listen((_request, response) => response.end('{"posts":[],"total":0}'));
    try {
      respondWith(302, '', { Location: `${elsewhere.origin}/api/v1/posts` });

      const { message, description } = await failedRead();

      expect(message).toBe('The service redirects to another address (302) [item 0]');
      expect(description).toContain(`${elsewhere.origin}/api/v1/posts`);
    } finally {
      await elsewhere.close();
    }
  });
});

describe('the API key', () => {
  const secret = 'spk_very-secret-42';
  let credentials: CredentialEntries;

  beforeEach(() => {
    service.sandbox.store.addKey({ name: 'Secret', plan: 'pro', key: secret });
    credentials = service.credentials({ apiKey: secret });
  });

  const quoting: Array<[string, () => unknown]> = [
    ['an error text', () => respondWith(422, { message: `Not with ${secret}` })],
    ['a redirect', () => respondWith(307, '', { Location: `https://example.com/?key=${secret}` })],
    ['a broken answer', () => respondWith(200, `Bearer ${secret}`)],
    ['a name of a field', () => respondWith(200, { [secret]: 1 })],
    ['a server error', () => respondWith(500, { error: { message: secret } })],
    ['a reset', () => service.sandbox.faults.add({ kind: 'reset' })],
  ];

  test.each(quoting)('is in no record of a run, even when it comes in %s', async (_what, spoil) => {
    spoil();

    const run = await runWorkflow(readWorkflow('agent.create'), {
      credentials,
      input: [{ name: 'Morning Ideas', schedule: '0 6 * * 1-5', active: true }],
    });

    expect(service.sandbox.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(nodeError(run, 'Save agent').message).not.toBe('');
    expect(JSON.stringify(run)).not.toContain(secret);
    expect(await readLog()).not.toContain(secret);
  });

  test('is in no record of a run that succeeds', async () => {
    const run = await runWorkflow(readWorkflow('post.getAll'), { credentials });

    expect(run.status).toBe('success');
    expect(JSON.stringify(run)).not.toContain(secret);
    expect(await readLog()).not.toContain(secret);
  });

  test('is not quoted in part where a long text is cut', async () => {
    for (let before = 280; before <= 300; before += 5) {
      service.sandbox.faults.clear();
      respondWith(400, { message: `${'x'.repeat(before)}${secret}` });

      expect((await failedRead(credentials)).description).not.toContain('spk_');
    }
    for (let before = 40; before <= 60; before += 5) {
      service.sandbox.faults.clear();
      respondWith(200, `${'x'.repeat(before)}${secret}`);

      expect((await failedRead(credentials)).message).not.toContain('spk_');
    }
  });
});
