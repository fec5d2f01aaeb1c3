import { findLeaks } from '../../support/leaks';

const secret = 'key "with" signs+/&?= \\ and ünïcode';
const search = (content: string | Buffer) => findLeaks([{ name: 'log', content }], { key: secret });

test.each<[string, string | Buffer]>([
  ['plain', `Authorization: ${secret}\n`],
  ['Base64', Buffer.from(secret).toString('base64')],
  ['Base64', Buffer.from(`x${secret}`).toString('base64')],
  ['Base64', Buffer.from(`user:${secret}yz`).toString('base64')],
  ['Base64 for URLs', Buffer.from(`${secret.replaceAll(' ', '?')}`).toString('base64url')],
  ['URL', `?key=${encodeURIComponent(secret)}&`],
  ['form', new URLSearchParams({ key: secret }).toString()],
  ['JSON', JSON.stringify({ key: secret })],
  ['JSON in JSON', JSON.stringify(JSON.stringify({ key: secret }))],
  ['hex', Buffer.from(secret).toString('hex')],
  ['plain', Buffer.concat([Buffer.from([0, 255, 128]), Buffer.from(secret)])],
])('%s is found', (encoding, content) => {
  const leaks =
    encoding === 'Base64 for URLs'
      ? findLeaks([{ name: 'log', content }], { key: secret.replaceAll(' ', '?') })
      : search(content);
  expect(leaks).toContainEqual({ place: 'log', secret: 'key', encoding });
});

test('nothing is found where there is nothing', () => {
  expect(search('key "with" signs')).toEqual([]);
  expect(search('')).toEqual([]);
});
