import { createHash, createHmac, timingSafeEqual } from 'crypto';

/**
 * Computes the value that the service sends in the `X-Service-Signature` header of a delivery
 * (docs/service.md, "Signature").
 *
 * @param body the raw request body
 * @param secret the webhook secret of the endpoint, used as it is
 * @returns `sha256=` followed by the lowercase hexadecimal HMAC-SHA256 of the body
 */
export function sign(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Whether a delivery comes from the service, unaltered. Compares the whole header value in constant
 * time. A blank secret verifies nothing.
 *
 * @param body the raw request body
 * @param signature the value of the `X-Service-Signature` header, if there is one
 * @param secret the webhook secret of the endpoint
 */
export function verify(body: Uint8Array, signature: unknown, secret: string): boolean {
  if (typeof signature !== 'string' || secret.trim() === '') return false;
  const expected = Buffer.from(sign(body, secret));
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/**
 * Identifies a delivery by its content, so that a repeated delivery has the same ID.
 *
 * @param body the raw request body
 * @returns the lowercase hexadecimal SHA-256 of the body
 */
export function deliveryId(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
