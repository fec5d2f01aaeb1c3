import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox';

export interface CallOptions {
  method?: string;
  /** Sent as JSON, a text or bytes as they are. */
  body?: unknown;
  /** An API key, or null for no Authorization header; the Agency key unless given. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** Calls the API of a sandbox; the JSON of the answer is read if there is any. */
export async function call(sandbox: Sandbox, path: string, options: CallOptions = {}) {
  const { body, key = sandbox.keys.agency } = options;
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const response = await fetch(sandbox.baseUrl + path, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = /json/.test(response.headers.get('content-type') ?? '') ? parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Waits for a condition to hold; the test's own time limit ends the wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(2);
}

/** A body for POST /posts that is accepted. */
export function postBody(overrides: Record<string, unknown> = {}) {
  return {
    workspaceId: 1,
    status: 'scheduled',
    scheduledAt: '2040-01-02T03:04:05.678Z',
    variants: [{ socialAccountId: 1, content: 'Hello' }],
    ...overrides,
  };
}

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A receiver of webhooks on this machine that answers as told. */
export async function startReceiver(
  answer: (response: ServerResponse, nth: number) => void = (response) => response.end(),
) {
  const received: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      answer(response, received.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A request with headers that fetch doesn't let one set, such as Host. */
export async function rawRequest(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string },
) {
  const request = httpRequest(url, { method: options.method ?? 'GET', headers: options.headers });
  request.end(options.body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode,
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
  };
}
