import { parseUrl } from '../../../nodes/shared/url';

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
