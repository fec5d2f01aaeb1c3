import crypto, { createHmac } from 'node:crypto';

import fc from 'fast-check';

import { listSecrets } from '../../../nodes/SocialPublishingTrigger/secrets';
import { deliveryId, sign, verify } from '../../../nodes/SocialPublishingTrigger/signature';

const secret = 'whsec_4f1c';
const body = Buffer.from(
  '{"event":"post.published","data":{"postId":1},"timestamp":"2026-11-21T09:30:00.000Z"}',
);
// From `openssl dgst -sha256 -hmac whsec_4f1c`.
const hex = '425e76a2a6ace471d07bd55ef9fba280d5524b33fbda02a9f045b6d59becd58c';
const signature = `sha256=${hex}`;

describe('sign', () => {
  test.each([
    ['an event', body, secret, hex],
    [
      'an empty body',
      Buffer.alloc(0),
      secret,
      '6a18318938240ef07a39113905f7fdbf219500a93d36dcd38f8a9e4807a3ded4',
    ],
    [
      'bytes that are no text, with a secret beyond ASCII',
      Buffer.from([0x00, 0xff, 0xfe]),
      'schlüssel 🔑',
      '6b4c0f18c3cca1eee1c76c3c6534c05ca8c6ac1b352e04ee6f13651fb778efd6',
    ],
    [
      'test case 2 of RFC 4231',
      Buffer.from('what do ya want for nothing?'),
      'Jefe',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('gives what openssl gives for %s', (_, bytes, key, expected) => {
    expect(sign(bytes, key)).toBe(`sha256=${expected}`);
  });
});

describe('deliveryId', () => {
  test.each([
    ['an event', body, '7f524ff685c5f406cf383cfd1c1994f997c71ab2e66b64415b72598a2184e0ab'],
    [
      'an empty body',
      Buffer.alloc(0),
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ],
  ])('is the SHA-256 of %s', (_, bytes, expected) => {
    expect(deliveryId(bytes)).toBe(expected);
  });
});

describe('verify', () => {
  test('accepts the signature of the bytes', () => {
    expect(verify(body, signature, [secret])).toBe(true);
  });

  test.each([
    ['a list of headers', [signature, signature]],
    ['a list of one header', [signature]],
    ['base64', `sha256=${Buffer.from(hex, 'hex').toString('base64')}`],
    ['an inner newline', `sha256=\n${hex}`],
    ['a trailing NUL', `${signature}\0`],
    ['one digit less', signature.slice(0, -1)],
    ['one digit more', `${signature}0`],
    ['characters whose low byte is the right one', signature.replace('4', '\u0134')],
    ['fullwidth digits', signature.replace('425', '４２５')],
  ])('refuses %s', (_, header) => {
    expect(verify(body, header, [secret])).toBe(false);
  });

  // Each signature is right for the secret, as Python's hmac module has it.
  test.each([
    ['an empty', '', 'd16489f04666bf6952a64ba89e66e874c037faae0fe1f25168e97b6478a68a7a'],
    ['a one blank', ' ', 'd20dc9b911e39ebeadeedb0f6361fb493c040af041b92a6a22b59ec587c2f5cc'],
    ['an all blank', ' \t\n', '11ab4432fb3b3f7443a34d9243227d1793cc332ab406ad731bd2b3b6ae316186'],
  ])('verifies nothing with %s secret', (_, blank, digest) => {
    expect(sign(body, blank)).toBe(`sha256=${digest}`);
    expect(verify(body, `sha256=${digest}`, [blank])).toBe(false);
  });
});

describe('with several secrets', () => {
  test('compares in constant time, with all secrets even after a match', () => {
    const compare = jest.spyOn(crypto, 'timingSafeEqual');
    try {
      // From `openssl dgst -sha256 -hmac whsec_other`.
      const other = 'sha256=e344c687728eebf7480d18b8768573da9104a9762366b863fa81b82ce4d5a537';
      expect(verify(body, signature, [secret, 'whsec_other'])).toBe(true);
      expect(compare.mock.calls.map((values) => values.map(String))).toEqual([
        [signature, signature],
        [signature, other],
      ]);
    } finally {
      compare.mockRestore();
    }
  });

  test('accepts if and only if one of the secrets that are not blank signed these very bytes', () => {
    const outcomes = { accepted: 0, refused: 0 };
    const bytes = fc.uint8Array({ maxLength: 100 }).map((content) => Buffer.from(content));
    const blank = fc.constantFrom('', ' ', '\t', ' \u00a0 ');
    // A key and the same key with NULs at its end give the same HMAC.
    const text = fc
      .string({ unit: 'binary', maxLength: 20 })
      .map((key) => key.replaceAll('\0', ''));
    const anySecret = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: blank });
    fc.assert(
      fc.property(
        fc.record({ webhookSecret: anySecret, others: fc.array(anySecret, { maxLength: 6 }) }),
        fc.oneof(
          fc.nat().map((index) => ({ index })),
          anySecret.map((stranger) => ({ stranger })),
        ),
        bytes,
        fc.option(bytes, { freq: 2 }),
        ({ webhookSecret, others }, signer, sent, swapped) => {
          const lines = others.map((secret) => secret.replace(/[\r\n]/g, ''));
          const known = [webhookSecret, ...lines];
          const key =
            'index' in signer ? (known[signer.index % known.length] ?? '') : signer.stranger;
          const header = `sha256=${createHmac('sha256', key).update(sent).digest('hex')}`;
          const receivedBody = swapped ?? sent;
          const expected = key.trim() !== '' && known.includes(key) && receivedBody.equals(sent);

          const credential = { webhookSecret, otherSecrets: lines.join('\n') };
          const accepted = verify(receivedBody, header, listSecrets(credential));

          outcomes[accepted ? 'accepted' : 'refused'] += 1;
          expect(accepted).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(outcomes.accepted).toBeGreaterThan(100);
    expect(outcomes.refused).toBeGreaterThan(100);
  });
});

describe('over any delivery', () => {
  const flip = (bytes: Buffer, bit: number) => {
    const flipped = Buffer.from(bytes);
    const at = bit % (8 * flipped.length);
    flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7));
    return flipped;
  };
  const splice = (bytes: Buffer, at: number, remove: number, insert: Uint8Array) => {
    const start = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, start), insert, bytes.subarray(start + remove)]);
  };

  /** Ways to change bytes; some of them leave them as they are. */
  const bytesMutation = fc.oneof(
    fc.constant((bytes: Buffer) => bytes),
    fc.nat().map((bit) => (bytes: Buffer) => (bytes.length === 0 ? bytes : flip(bytes, bit))),
    fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 })).map(
      ([at, remove, insert]) =>
        (bytes: Buffer) =>
          splice(bytes, at, remove, insert),
    ),
    fc.nat(70).map((length) => (bytes: Buffer) => bytes.subarray(0, length)),
    fc.uint8Array({ maxLength: 70 }).map((other) => () => Buffer.from(other)),
    fc.constant((bytes: Buffer) => Buffer.from(bytes.toString('latin1').toUpperCase(), 'latin1')),
    fc.constant((bytes: Buffer) => Buffer.from(bytes.toString('utf8'))),
    fc.constant((bytes: Buffer) => Buffer.from(bytes).reverse()),
  );

  test('accepts it if and only if neither its bytes nor its header were touched', () => {
    const outcomes = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        fc.string({ minLength: 1, unit: 'binary' }).filter((key) => key.trim() !== ''),
        bytesMutation,
        bytesMutation,
        (sent, key, mutateBody, mutateHeader) => {
          const header = `sha256=${createHmac('sha256', key).update(sent).digest('hex')}`;
          const receivedBody = mutateBody(sent);
          // Node hands header values over as latin1.
          const receivedHeader = mutateHeader(Buffer.from(header, 'latin1')).toString('latin1');
          const untouched = receivedBody.equals(sent) && receivedHeader === header;

          const accepted = verify(receivedBody, receivedHeader, [key]);

          outcomes[accepted ? 'accepted' : 'refused'] += 1;
          expect(accepted).toBe(untouched);
        },
      ),
      { numRuns: 4_000 },
    );
    expect(outcomes.accepted).toBeGreaterThan(20);
    expect(outcomes.refused).toBeGreaterThan(2_000);
  });
});
