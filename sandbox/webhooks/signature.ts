import { createHmac } from 'node:crypto';

/**
 * The value of X-Service-Signature for a body (docs/service.md, "Signature").
 * @param body the exact bytes to send
 * @param secret the secret of the webhook endpoint
 */
export function sign(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
