import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';

import type { FaultKind, ResponseFaultRule, TotalFaultRule } from './rules';

const beforeProcessing: ReadonlySet<FaultKind> = new Set(['rateLimit', 'status', 'reset']);

/** Whether the service processes a request before this fault replaces its response. */
export function appliesAfterProcessing(rule: ResponseFaultRule): boolean {
  return rule.processed ?? !beforeProcessing.has(rule.kind);
}

/** Applies the faults of a list's total. An absent `total` is left out of the response. */
export function faultyTotal(rules: TotalFaultRule[], total: number): { total?: unknown } {
  const rule = rules.at(-1);
  if (!rule) return { total };
  return rule.kind === 'wrongTotal' ? { total: rule.total } : {};
}

/**
 * Replaces a response whose status, headers and payload are already set.
 * @returns the payload to send instead, or undefined when the fault has ended the connection
 */
export function applyToResponse(
  rule: ResponseFaultRule,
  reply: FastifyReply,
  payload: string,
): string | Readable | undefined {
  switch (rule.kind) {
    case 'rateLimit':
      if (rule.retryAfter !== undefined) reply.header('Retry-After', retryAfter(rule.retryAfter));
      return errorPayload(reply.code(429));
    case 'status':
      reply.code(rule.status).headers(rule.headers ?? {});
      if (rule.body === undefined) return errorPayload(reply);
      if (typeof rule.body !== 'string') return JSON.stringify(rule.body);
      if (!rule.headers) reply.type('text/plain; charset=utf-8');
      return rule.body;
    case 'reset':
      reply.raw.socket?.resetAndDestroy();
      return undefined;
    case 'truncated': {
      const half = payload.slice(0, Math.floor(payload.length / 2));
      if (rule.contentLength === 'cut') return half;
      sendAndCut(reply, half, Buffer.byteLength(payload));
      return undefined;
    }
    case 'malformedJson':
      return payload.replaceAll('"', "'");
    case 'html':
      reply.code(200).type('text/html; charset=utf-8');
      return '<!doctype html>\n<title>Maintenance</title>\n<h1>We will be back soon</h1>\n';
    case 'empty':
      reply.code(200).removeHeader('content-type');
      return '';
    case 'wrongShape':
      return JSON.stringify(rule.body ?? { result: 'ok' });
    case 'slowBody':
      reply.header('Content-Length', Buffer.byteLength(payload));
      return slowBytes(payload, rule.everyMs ?? 100);
    case 'crossed':
      return payload;
  }
}

function retryAfter(value: number | Date | string): string {
  return value instanceof Date ? value.toUTCString() : String(value);
}

function errorPayload(reply: FastifyReply): string {
  const message = STATUS_CODES[reply.statusCode] ?? 'Unknown error';
  const code = message.toLowerCase().replaceAll(/\W+/g, '_');
  return JSON.stringify({ error: { code, message } });
}

/** Sends the first part of a response whose declared length is greater, and closes the connection. */
function sendAndCut(reply: FastifyReply, firstPart: string, declaredLength: number): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.setHeader('content-length', declaredLength);
  reply.raw.writeHead(reply.statusCode);
  reply.raw.write(firstPart, () => reply.raw.destroy());
}

/** A text, one byte at a time. The first byte comes at once. */
function slowBytes(text: string, everyMs: number): Readable {
  async function* bytes() {
    for (const [index, byte] of Buffer.from(text).entries()) {
      if (index > 0) await sleep(everyMs, undefined, { ref: false });
      yield Buffer.of(byte);
    }
  }
  return Readable.from(bytes(), { objectMode: false });
}
