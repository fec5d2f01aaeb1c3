import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { IRun } from 'n8n-workflow';

import { listen } from '../../support/server';
import type { CredentialEntries } from '../harness';
import {
  nodeError,
  readLog,
  readWorkflow,
  runWorkflow,
  skipWaitsBetweenTries,
  useSandbox,
} from '../harness';

const service = useSandbox();

beforeEach(skipWaitsBetweenTries);

/** What a node failed with: in words, and what it tells machines. */
interface ShownFailure {
  message: string;
  description: string;
  code: unknown;
  certainty: unknown;
}

function failureOf(run: IRun, nodeName: string): ShownFailure {
  const { message, description, context } = nodeError(run, nodeName);
  const { code, certainty } = context;
  return { message, description: description ?? '', code, certainty };
}

async function failedRead(
  credentials: CredentialEntries = service.credentials(),
): Promise<ShownFailure> {
  return failureOf(
    await service.run(readWorkflow('post.getAll'), [{}], { credentials }),
    'Get posts',
  );
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
  test('401: one request', async () => {
    const { code } = await failedRead(service.credentials({ apiKey: 'spk_mistyped' }));

    expect(code).toBe('keyNotAccepted');
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test('403: a Creator key', async () => {
    const { code } = await failedRead(
      service.credentials({ apiKey: service.sandbox.keys.creator }),
    );

    expect(code).toBe('notAllowed');
  });

  test('404: a workspace that does not exist', async () => {
    const { code, description } = await failedRead(service.credentials({ workspaceId: '77' }));

    expect(code).toBe('notFound');
    expect(description).toContain('77');
    expect(description).toContain('Workspace ID');
  });

  test.each([
    [402, 'paymentRequired'],
    [405, 'wrongAddress'],
    [409, 'conflict'],
    [410, 'refused'],
    [413, 'tooLarge'],
    [415, 'refused'],
    [422, 'invalidValues'],
    [451, 'refused'],
    [499, 'refused'],
  ])('%d: one request, read or write, and nothing is created', async (status, code) => {
    respondWith(status, { message: 'So says the service' });

    for (const failure of [await failedRead(), await failedWrite()]) {
      expect(failure.code).toBe(code);
      expect(failure.message).toContain(`(${status})`);
      expect(failure.description).toMatch(/“So says the service”\. .{20,}/);
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

      expect((await failedRead()).description).toContain('“In words”. ');
    }
  });

  test('without a reason the text of the status stands in for it', async () => {
    respondWith(418, '');

    expect((await failedRead()).description).toMatch(/“I'm a teapot”\. /i);
  });

  test('a quota that is used up is told with the time of its renewal', async () => {
    respondWith(
      429,
      { message: 'Quota exceeded' },
      { 'Retry-After': '', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '2056752000' },
    );

    const { code, message } = await failedRead();

    expect(code).toBe('quotaUsedUp');
    expect(message).toContain('2035-03-06 00:00:00 UTC');
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test('a wait that is too long is told and not waited for', async () => {
    service.sandbox.faults.add({ kind: 'rateLimit', retryAfter: new Date('2035-03-05T20:00:00Z') });

    const { code, message, description } = await failedWrite();

    expect(code).toBe('tooManyRequests');
    expect(message).toContain('2035-03-05 20:00:00 UTC');
    expect(description).toContain('2035-03-05 20:00:00 UTC');
    expect(service.sandbox.requests).toHaveLength(1);
    expect(agentsCreated()).toBe(0);
  });
});

describe('a breakdown of the service', () => {
  test.each([500, 502, 503, 504])('%d: a read is tried 4 times', async (status) => {
    respondWith(status, '<html><body>Bad gateway</body></html>');

    const { code, certainty, description } = await failedRead();

    expect([code, certainty]).toEqual(['serviceFailed', 'failed']);
    expect(description).toMatch(/\b4 times/);
    expect(description).not.toContain('<');
    expect(service.sandbox.requests).toHaveLength(4);
  });
});

describe('a success that is none', () => {
  test('a read names the address to check', async () => {
    service.sandbox.faults.add({ kind: 'html' });

    const { code, certainty, description } = await failedRead();

    expect([code, certainty]).toEqual(['unexpectedResponse', 'failed']);
    expect(description).toContain(service.sandbox.baseUrl);
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['posts that are an object', { posts: { 1: {} }, total: 1 }],
    ['posts that are texts', { posts: ['1', '2'], total: 2 }],
    ['posts that are null', { posts: null, total: 0 }],
  ])('%s: says which fields came', async (_what, body) => {
    service.sandbox.faults.add({ kind: 'wrongShape', body });

    const { code, message } = await failedRead();

    expect(code).toBe('unexpectedResponse');
    expect(message).toContain('posts, total');
  });

  test('malformed JSON is quoted in short', async () => {
    service.sandbox.faults.add({ kind: 'malformedJson' });

    expect((await failedRead()).message).toContain("“{'posts':[]");
  });
});

describe('no answer', () => {
  test('a refused connection names the host and what to check', async () => {
    const gone = await listen(() => undefined);
    await gone.close();
    const credentials = service.credentials({ baseUrl: `${gone.origin}/api/v1` });

    const host = gone.origin.replace('http://', '');
    const failures = await Promise.all([failedRead(credentials), failedWrite(credentials)]);

    for (const { code, certainty, message, description } of failures) {
      expect([code, certainty]).toEqual(['unreachable', 'notSent']);
      expect(message).toContain(host);
      expect(description).toContain(`${gone.origin}/api/v1`);
      expect(description).toContain('ECONNREFUSED');
    }
  });

  test('an address that n8n is set up to block was never reached', async () => {
    const protection = Container.get(SsrfProtectionConfig);
    protection.enabled = true;
    const failures = await Promise.all([failedRead(), failedWrite()]).finally(() => {
      protection.enabled = false;
    });

    for (const { code, certainty, description } of failures) {
      expect([code, certainty]).toEqual(['unreachable', 'notSent']);
      expect(description).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
    }
    expect(service.sandbox.requests).toEqual([]);
  });

  test('a redirect is not followed, and its target is named', async () => {
    const elsewhere = await listen((_request, response) => response.end('{"posts":[],"total":0}'));
    try {
      respondWith(302, '', { Location: `${elsewhere.origin}/api/v1/posts` });

      const { code, description } = await failedRead();

      expect(code).toBe('redirected');
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
    const run = await service.run(readWorkflow('post.getAll'), [{}], { credentials });

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
