import { isLocalHost, parseUrl } from '../../../nodes/shared/url';

test.each(['', 'bücher.example', '/path', 'https://', '//example.com'])('%j is no URL', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

test('a URL with letters beyond ASCII is read however often', () => {
  const hosts = Array.from(
    { length: 20_000 },
    () => parseUrl('https://bücher.example/ü.png')?.host,
  );

  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
});

test.each([
  '',
  'picture.jpg',
  '/picture.jpg',
  '//example.com/a',
  'https://',
  'https://exa mple.com',
])('%j is none', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

test.each([
  ['localhost', true],
  ['n8n.localhost', true],
  ['printer.local', true],
  ['api.internal', true],
  ['nas.lan', true],
  ['box.home', true],
  ['postgres', true],
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['0.0.0.0', true],
  ['192.168.1.1', true],
  ['169.254.1.1', true],
  ['172.16.0.1', true],
  ['172.29.0.1', true],
  ['172.31.255.255', true],
  ['[::]', true],
  ['[::1]', true],
  ['[fc00::1]', true],
  ['[fd12::1]', true],
  ['[fe80::1]', true],
  ['example.com', false],
  ['localhost.example.com', false],
  ['local.example.com', false],
  ['my-localhost.com', false],
  ['110.0.0.1', false],
  ['11.0.0.1', false],
  ['8.8.10.1', false],
  ['192.169.1.1', false],
  ['169.253.1.1', false],
  ['172.15.0.1', false],
  ['172.32.0.1', false],
  ['172.1.0.1', false],
  ['[2001:db8::1]', false],
])('%s is a local host: %p', (host, expected) => {
  expect(isLocalHost(host)).toBe(expected);
});
