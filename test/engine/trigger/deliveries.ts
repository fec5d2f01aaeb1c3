import { createHmac } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { DeliveryRequest } from '../../../scripts/load/send';

/** The envelope of an event. */
interface Envelope {
  event: string;
  data: object;
  timestamp: string;
  id?: string;
}

export const secret = 'whsec_4f1c';

/** An event of the documented shape. */
export const event = {
  event: 'post.published',
  data: { postId: 1 },
  timestamp: '2026-11-21T09:30:00.000Z',
};

const json = 'application/json';
const name = 'X-Service-Signature';

const hmac = (body: Buffer, key: string, algorithm = 'sha256') =>
  `${algorithm}=${createHmac(algorithm, key).update(body).digest('hex')}`;

/** A delivery as the service makes it: signed over the exact bytes sent. */
export function signed(
  content: string | Buffer,
  headers: OutgoingHttpHeaders = {},
): DeliveryRequest {
  const body = Buffer.from(content);
  return { headers: { 'content-type': json, [name]: hmac(body, secret), ...headers }, body };
}

/** The delivery of an event, without white space between its fields. */
export const deliveryOf = (content: object): DeliveryRequest => signed(JSON.stringify(content));

const genuine = deliveryOf(event);
const signature = String(genuine.headers[name]);
const spaced = Buffer.from(JSON.stringify(event, null, 2));

const withSignature = (value: string | string[]): DeliveryRequest => ({
  headers: { 'content-type': json, [name]: value },
  body: genuine.body,
});
const withBody = (content: string | Buffer): DeliveryRequest => ({
  headers: genuine.headers,
  body: Buffer.from(content),
});

const form = Buffer.from(
  `--x\r\nContent-Disposition: form-data; name="event"\r\n\r\n${genuine.body.toString()}\r\n--x--\r\n`,
);
const multipart = { 'content-type': 'multipart/form-data; boundary=x' };

/** Deliveries that did not come from the service, or not like this: each is answered with 401. */
export const forgedDeliveries: Array<[string, DeliveryRequest]> = [
  ['no header', { headers: { 'content-type': json }, body: genuine.body }],
  ['an empty header', withSignature('')],
  ['the true header twice', withSignature([signature, signature])],
  ['a false and the true header', withSignature([hmac(genuine.body, 'x'), signature])],
  ['the true and a false header', withSignature([signature, hmac(genuine.body, 'x')])],
  ['the secret of another endpoint', withSignature(hmac(genuine.body, 'whsec_4f1d'))],
  ['an empty secret', withSignature(hmac(genuine.body, ''))],
  ['uppercase hex', withSignature(signature.toUpperCase().replace('SHA', 'sha'))],
  ['an uppercase prefix', withSignature(signature.replace('sha', 'SHA'))],
  ['no prefix', withSignature(signature.replace('sha256=', ''))],
  ['the prefix alone', withSignature('sha256=')],
  ['sha1= and its digest', withSignature(hmac(genuine.body, secret, 'sha1'))],
  ['sha1= and the true digest', withSignature(signature.replace('sha256', 'sha1'))],
  ['sha512= and its digest', withSignature(hmac(genuine.body, secret, 'sha512'))],
  ['a trailing no-break space', withSignature(`${signature}\u00a0`)],
  ['a trailing comma', withSignature(`${signature},`)],
  ['a header of 15 kB', withSignature(`sha256=${'4'.repeat(15_000)}`)],
  ['the true header and 15 kB more', withSignature(signature.padEnd(15_000, '0'))],
  [
    'the signature of the re-serialised JSON',
    { headers: { ...genuine.headers, [name]: signature }, body: spaced },
  ],
  ['a truncated body, no longer JSON', withBody(genuine.body.subarray(0, -1))],
  [
    'a truncated body, still JSON',
    { ...signed(`${genuine.body.toString()}\n`), body: genuine.body },
  ],
  ['an extended body, still JSON', withBody(`${genuine.body.toString()} `)],
  ['an extended body, no longer JSON', withBody(`${genuine.body.toString()}}`)],
  ['a body swapped after signing', withBody(genuine.body.toString().replace('1', '2'))],
  ['an emptied body', withBody('')],
  ['no JSON, not signed', { headers: { 'content-type': json }, body: Buffer.from('attack') }],
  ['XML, not signed', { headers: { 'content-type': 'text/xml' }, body: Buffer.from('<a><b/>') }],
  [
    'multipart with the signature of a part',
    { headers: { ...genuine.headers, ...multipart }, body: form },
  ],
  ['multipart with its own signature', signed(form, multipart)],
  ['JSON under the name of multipart', signed(genuine.body, multipart)],
  [
    'gzip that is none',
    { headers: { ...genuine.headers, 'content-encoding': 'gzip' }, body: genuine.body },
  ],
  [
    'truncated gzip',
    {
      headers: { ...genuine.headers, 'content-encoding': 'gzip' },
      body: gzipSync(genuine.body).subarray(0, -4),
    },
  ],
  [
    'another body in gzip',
    { headers: { ...genuine.headers, 'content-encoding': 'gzip' }, body: gzipSync(spaced) },
  ],
  ['more than n8n takes in', signed(Buffer.alloc(17 * 1024 * 1024, ' '))],
];

/**
 * Deliveries with one bit flipped, in the body or in the header, as far as HTTP can carry them.
 *
 * @param step flips every bit when it is 1, and every third when it is 3
 */
export function bitFlips(step = 1): DeliveryRequest[] {
  const flipped = (bytes: Buffer, bit: number) => {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return copy;
  };
  const everyBit = (bytes: Buffer) =>
    Array.from({ length: Math.floor((8 * bytes.length) / step) }, (_, index) =>
      flipped(bytes, index * step),
    );
  const carried = /^[\t\x20-\x7e\x80-\xff]*$/;
  return [
    ...everyBit(genuine.body).map(withBody),
    ...everyBit(Buffer.from(signature))
      .map((header) => header.toString('latin1'))
      .filter((header) => carried.test(header))
      .map(withSignature),
  ];
}

const long = { ...event, data: { content: 'ü😀"\\'.repeat(1_000_000) } };
const escaped = String.raw`{"event":"post.published","data":{"text":"\u00e9\ud83d\ude00😀\u0000\\\"\/"},"timestamp":"2026-11-21T09:30:00.000Z"}`;

/** Deliveries of the service that may look unusual, and the event that each of them carries. */
export const validDeliveries: Array<[string, DeliveryRequest, Envelope]> = [
  ['the plain event', genuine, event],
  [
    'another key order and white space',
    signed(
      `\r\n{ "timestamp"\t: "${event.timestamp}",\n"data" : { } , "event":"post.published" } \n`,
    ),
    { ...event, data: {} },
  ],
  ['escapes, emoji and \\u0000', signed(escaped), { ...event, data: { text: 'é😀😀\0\\"/' } }],
  ['a byte order mark', signed(`\ufeff${genuine.body.toString()}`), event],
  ['10 MB of JSON', deliveryOf(long), long],
  [
    'gzip',
    { ...signed(genuine.body, { 'content-encoding': 'gzip' }), body: gzipSync(genuine.body) },
    event,
  ],
  ...[
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=iso-8859-1',
    'application/cloudevents+json',
    'text/plain',
    'text/xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
  ].map((type): [string, DeliveryRequest, Envelope] => [
    `the content type ${type}`,
    signed(genuine.body, { 'content-type': type }),
    event,
  ]),
  ['no content type', { headers: { [name]: signature }, body: genuine.body }, event],
  [
    'a header name in lower case',
    { headers: { [name.toLowerCase()]: signature }, body: genuine.body },
    event,
  ],
  [
    'fields beyond the documented ones',
    deliveryOf({ ...event, id: 'evt_1' }),
    { ...event, id: 'evt_1' },
  ],
];

/** Signed deliveries that carry no well-formed envelope, and what the text for the sender names. */
export const malformedDeliveries: Array<[string, DeliveryRequest, string]> = [
  ['no JSON', signed('post.published'), 'JSON'],
  ['nothing', signed(''), 'JSON'],
  ['a list', signed('[]'), 'JSON'],
  ['UTF-16', signed(Buffer.from('{}', 'utf16le')), 'UTF-8'],
  ['no event', deliveryOf({ ...event, event: 1 }), '"event"'],
  ['no data', deliveryOf({ ...event, data: [] }), '"data"'],
  ['no timestamp', deliveryOf({ ...event, timestamp: 'now' }), '"timestamp"'],
];
