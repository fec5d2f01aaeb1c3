import { createHash, createHmac, timingSafeEqual } from 'crypto';

/**
 * The `X-Service-Signature` of a raw body (docs/service.md, "Signature"): `sha256=` and the
 * lowercase hexadecimal HMAC-SHA256 with the secret as it is.
 */
export function sign(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/**
 * Whether one of the secrets yields the signature of a raw body. Compares in constant time with
 * each, and does not stop at a match. A blank secret verifies nothing.
 */
export function verify(body: Uint8Array, signature: unknown, secrets: readonly string[]): boolean {
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return false;
  const received = Buffer.from(signature);
  const matches = secrets
    .filter((secret) => secret.trim() !== '')
    .map((secret) => timingSafeEqual(received, Buffer.from(sign(body, secret))));
  return matches.includes(true);
}

/** The same for a repeated delivery: the lowercase hexadecimal SHA-256 of the raw body. */
export function deliveryId(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
