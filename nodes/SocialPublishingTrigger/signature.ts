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

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/**
 * Whether a delivery comes from the service, unaltered: one of the secrets yields its signature.
 * Compares the whole header value with the signature by each secret, in constant time, and does not
 * stop at a match. A blank secret verifies nothing.
 *
 * @param body the raw request body
 * @param signature the value of the `X-Service-Signature` header, if there is one
 * @param secrets the webhook secrets of the endpoints, used as they are
 */
export function verify(body: Uint8Array, signature: unknown, secrets: readonly string[]): boolean {
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return false;
  const received = Buffer.from(signature);
  const matches = secrets
    .filter((secret) => secret.trim() !== '')
    .map((secret) => timingSafeEqual(received, Buffer.from(sign(body, secret))));
  return matches.includes(true);
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
