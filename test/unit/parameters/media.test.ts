import { BETWEEN_URLS, mediaUrl } from '../../../nodes/SocialPublishing/parameters/readers';
import { textList } from '../../../nodes/SocialPublishing/parameters/values';

describe('a media URL', () => {
  test.each([
    ['https://example.com/a.jpg', 'https://example.com/a.jpg'],
    ['  https://example.com/a.jpg ', 'https://example.com/a.jpg'],
    ['HTTPS://EXAMPLE.COM/A.jpg', 'https://example.com/A.jpg'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com/brötchen.jpg', 'https://example.com/br%C3%B6tchen.jpg'],
    ['https://example.com/br%C3%B6tchen.jpg', 'https://example.com/br%C3%B6tchen.jpg'],
    ['https://example.com/br%c3%b6tchen.jpg', 'https://example.com/br%c3%b6tchen.jpg'],
    ['https://example.com/a b.jpg', 'https://example.com/a%20b.jpg'],
    ['https://example.com/a%20b+c.jpg', 'https://example.com/a%20b+c.jpg'],
    ['https://example.com/100%.jpg', 'https://example.com/100%25.jpg'],
    ['https://example.com/50%a.jpg', 'https://example.com/50%25a.jpg'],
    ['https://example.com/50%25.jpg', 'https://example.com/50%25.jpg'],
    ['https://example.com/a|b^c`{d}.jpg', 'https://example.com/a%7Cb%5Ec%60%7Bd%7D.jpg'],
    ['https://example.com/a[1].jpg?x[]=1', 'https://example.com/a%5B1%5D.jpg?x%5B%5D=1'],
    ['https://example.com/a.jpg?q=bäcker&x=a|b', 'https://example.com/a.jpg?q=b%C3%A4cker&x=a%7Cb'],
    ['https://example.com/w_100,h_50/a;v=1,2.jpg', 'https://example.com/w_100,h_50/a;v=1,2.jpg'],
    ['https://example.com/a.jpg#t=1#2', 'https://example.com/a.jpg#t=1%232'],
    ['https://example.com/🍞.jpg', 'https://example.com/%F0%9F%8D%9E.jpg'],
    ['https://bäckerei.example/a.jpg', 'https://xn--bckerei-5wa.example/a.jpg'],
    ['https://[::1]:8080/a.jpg', 'https://[::1]:8080/a.jpg'],
    ['http://me:se%40cret@example.com:81/ä', 'http://me:se%40cret@example.com:81/%C3%A4'],
    ['https://example.com/?token=eyJ.a_b-c~d', 'https://example.com/?token=eyJ.a_b-c~d'],
  ])('%s is sent as %s', (given, sent) => {
    expect(mediaUrl(given)).toBe(sent);
  });

  test.each([
    '',
    'a.jpg',
    '/a.jpg',
    '//example.com/a.jpg',
    'ftp://example.com/a',
    'file:///etc/passwd',
    'https://',
    'https:/example.com',
    'https:/example.com/https://example.com',
    'data:image/png;base64,AA==',
  ])('%j is none', (given) => {
    expect(mediaUrl(given)).toBeUndefined();
  });
});

describe('URLs written as text are parted', () => {
  const a = 'https://example.com/a.jpg';
  const b = 'http://example.com/b.jpg';

  test.each([
    ['by lines', `${a}\n${b}\r\n`],
    ['by blanks', `${a}  ${b}`],
    ['by commas', `${a},${b}`],
    ['by commas and blanks', `${a} , ${b},`],
    ['by semicolons', `${a};${b}`],
    ['by semicolons and lines', `${a};\n${b};`],
    ['by bars', `${a}|${b}`],
    ['by bars and blanks', `${a} | ${b}`],
  ])('%s', (_, text) => {
    expect(textList(text, BETWEEN_URLS)).toEqual([a, b]);
  });

  test('and never within a URL', () => {
    const urls = [
      'https://example.com/w_100,h_50/a.jpg',
      'https://example.com/a;v=1',
      'https://example.com/a|b?c=d,e',
    ];
    expect(textList(urls.join(','), BETWEEN_URLS)).toEqual(urls);
  });
});
