import type { FastifyReply } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { AnswerFaultRule, TotalFaultRule } from '../faults';

/** Whether a fault that decides over the answer strikes after the request has been acted on. */
export function strikesAfterActing(rule: AnswerFaultRule): boolean {
  const beforeActing = rule.kind === 'rateLimit' || rule.kind === 'status' || rule.kind === 'reset';
  return rule.acted ?? !beforeActing;
}

/** Gives a list of posts the total that the faults want it to have. */
export function strikeTotal(rules: TotalFaultRule[], payload: string): string {
  const body = JSON.parse(payload) as Record<string, unknown>;
  for (const rule of rules) {
    if (rule.kind === 'wrongTotal') body.total = rule.total;
    else delete body.total;
  }
  return JSON.stringify(body);
}

/**
 * Lets a fault decide over the answer, whose status, headers and payload are set already.
 * @returns the payload to send instead, or undefined when the fault has ended the connection
 */
export function strikeAnswer(
  rule: AnswerFaultRule,
  reply: FastifyReply,
  payload: string,
): string | undefined {
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
      breakOff(reply, half, Buffer.byteLength(payload));
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

/** Sends the beginning of an answer that is declared longer, and closes the connection. */
function breakOff(reply: FastifyReply, beginning: string, declaredLength: number): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.setHeader('content-length', declaredLength);
  reply.raw.writeHead(reply.statusCode);
  reply.raw.write(beginning, () => reply.raw.destroy());
}
