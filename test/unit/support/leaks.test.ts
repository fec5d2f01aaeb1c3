import { findLeaks, leakTable } from '../../support/leaks';

const secret = 'key "with" signs+/&?= \\ and ünïcode';
const placeOf = (content: string | Buffer) => ({ kind: 'Logs', name: 'n8n.log', content });
const search = (content: string | Buffer) => findLeaks([placeOf(content)], { key: secret });

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
      ? findLeaks([placeOf(content)], { key: secret.replaceAll(' ', '?') })
      : search(content);
  expect(leaks).toContainEqual({
    kind: 'Logs',
    place: 'n8n.log',
    secret: 'key',
    encoding,
  });
});

test('nothing is found where there is nothing', () => {
  expect(search('key "with" signs')).toEqual([]);
  expect(search('')).toEqual([]);
});

test('the table has a row for each kind of place', () => {
  const places = [
    { kind: 'Logs', name: 'n8n.log', content: 'x'.repeat(1_500_000) },
    { kind: 'Logs', name: 'other.log', content: 'my-secret' },
    { kind: 'Database', name: 'database.sqlite', content: Buffer.from('nothing') },
  ];
  const leaks = findLeaks(places, { key: 'my-secret' });
  const planted = [{ kind: 'Database', place: 'planted', secret: 'key', encoding: 'hex' }];
  expect(leakTable(places, leaks, planted).split('\n')).toEqual([
    '| Place | Searched | Leaks | Planted leak found |',
    '| --- | --- | --: | --- |',
    '| Logs | 2 (1.5 MB) | 1 | none planted |',
    '| Database | 1 (0.0 MB) | 0 | hex |',
  ]);
});
