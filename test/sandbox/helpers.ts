import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox';
import { listen } from '../support/server';

export interface RequestOptions {
  method?: string;
  /** A string or bytes are sent as they are, anything else as JSON. */
  body?: unknown;
  /** An API key, or null for no Authorization header; the Agency key by default. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** Sends a request to the API of a sandbox. `json` is undefined when the response isn't JSON. */
export async function callApi(sandbox: Sandbox, path: string, options: RequestOptions = {}) {
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

/** Waits until a condition holds, or the test times out. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(2);
}

/** A valid body for POST /posts. */
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

/** Starts a receiver of webhooks. By default it responds with 200. */
export async function startReceiver(
  respond: (response: ServerResponse, nth: number) => void = (response) => response.end(),
) {
  const received: ReceivedDelivery[] = [];
  const server = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      respond(response, received.length);
    });
  });
  return { url: `${server.origin}/hook`, received, close: () => server.close() };
}

/** Sends a request with headers that fetch doesn't allow, such as Host. */
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
