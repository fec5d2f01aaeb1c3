import fc from 'fast-check';
import { parseTweet } from 'twitter-text';

import {
  codePoints,
  emojisInBytes,
  graphemes,
  mastodonLength,
  utf8Bytes,
  utf16Units,
  xLength,
} from '../../../nodes/SocialPublishing/platforms/counting';

const FAMILY = '👨‍👩‍👧‍👦';
const THUMB = '👍🏽';

test.each([
  ['plain letters', 'Fresh bread', [11, 11, 11, 11, 11]],
  ['an umlaut in one piece', 'Käse', [4, 4, 5, 4, 4]],
  ['an umlaut in two pieces', 'Ka\u0308se', [5, 5, 6, 4, 5]],
  ['an emoji', '🍞', [1, 2, 4, 1, 4]],
  ['an emoji with a skin tone', THUMB, [2, 4, 8, 1, 8]],
  ['a family', FAMILY, [7, 11, 25, 1, 25]],
  ['a flag', '🇩🇪', [2, 4, 8, 1, 8]],
  ['Japanese', 'パン', [2, 2, 6, 2, 2]],
  ['nothing', '', [0, 0, 0, 0, 0]],
])('counts %s', (_, text, expected) => {
  expect(
    [codePoints, utf16Units, utf8Bytes, graphemes, emojisInBytes].map((count) => count(text)),
  ).toEqual(expected);
});

test.each([
  ['a link as 23', 'See https://example.com/a/very/long/path/to/the/bread', 27],
  ['a bare domain as it is', 'See example.com', 15],
  ['a mention without its server', 'By @nora@bakers.example today', 14],
  ['a mention of the same server', 'By @nora today', 14],
  ['an address of mail as it is', 'nora@bakers.example', 19],
  ['a family as one', FAMILY, 1],
])('Mastodon counts %s', (_, text, expected) => {
  expect(mastodonLength(text)).toBe(expected);
});

const LINK = 23;
const long = (letter: string, times: number): string => letter.repeat(times);

/** The rules of X's library, each in a case of our own; its own cases are in validate.yml there. */
const cases: ReadonlyArray<readonly [what: string, text: string, expected: number]> = [
  ['a text', 'Fresh bread', 11],
  ['a link alone', 'https://example.com', LINK],
  ['a link after a word', 'Hi http://bread.co', 3 + LINK],
  ['ten links', Array<string>(10).fill('https://example.com/bread').join(' '), 10 * LINK + 9],
  ['a link within a long text', `${long('x', 200)} http://example.com/a ${long('y', 80)}`, 305],
  ['accents', 'Brød og kæse', 12],
  ['an accent in two pieces as one', 'A\u0301B', 2],
  ['a letter that composing parts', 'A\uFB2C', 4],
  ['wide characters twice', long('故', 160), 320],
  ['wide characters and others', `the${long('故', 160)}`, 323],
  ['emojis twice', long('😷', 160), 320],
  ['an emoji with a skin tone as one', '🙋🏽', 2],
  ['an emoji of several as one', '👨‍🎤', 2],
  ['a family as one', FAMILY, 2],
  ['a flag as one', '🇩🇪', 2],
  ['a keycap', '1️⃣', 2],
  ['a keycap without a selector', '1\u20e3', 2],
  ['emojis among letters', 'H🐱☺👨‍👩‍👧‍👦', 7],
  ['signs of typography once', '\u2000\u200A\u200B\u200D‐—‘’“”′″', 12],
  ['signs of typography twice', '…€', 4],
  ['marks of direction around a link', '\u2066\u202Ahttp://example.com/\u202C\u2069', LINK + 8],
  ['a link with a host of its own letters', 'http://☃.net/', LINK],
  ['a link with a country in its letters', 'http://example.рф/', LINK],
  ['a link in a language without spaces', 'パンhttp://example.comパン', 8 + LINK],
  ['a host with a label of 64 letters as text', `${long('a', 64)}.com`, 68],
  ['a host with a label of 63 letters', `${long('a', 63)}.com`, LINK],
  ['a host that is too long once it is encoded', `https://${long('あ', 60)}.com`, 132],
  ['a link of more than 4,096 letters as text', `http://a.com/${long('a', 4090)}`, 4103],
  ['a bare domain', 'example.com', LINK],
  ['a bare domain with a path', 'example.co.jp/bread?kind=rye', LINK],
  ['a name of a file that is a domain', 'readme.md', LINK],
  ['an address of mail', 'nora@example.com', 16],
  ['what follows a sign', '$a.com #a.com @a.com', 20],
  ['an abbreviation', 'e.g. bread', 10],
  ['brackets in a link', '(http://example.com/a_(b))', LINK + 2],
  ['the dot after a link', 'http://example.com.', LINK + 1],
  ['a port, a query and a fragment', 'http://example.com:80/?a=1#b', LINK],
  ['an IP address as text', 'http://192.168.0.1/', 19],
];

describe('X', () => {
  test.each(cases)('counts %s', (_, text, expected) => {
    expect(xLength(text)).toBe(expected);
  });

  test.each(cases)('counts %s as its own library does', (_, text) => {
    expect(xLength(text)).toBe(parseTweet(text).weightedLength);
  });

  const modifiers = Array.from({ length: 5 }, (_, tone) => String.fromCodePoint(0x1f3fb + tone));

  test('counts any skin tone of any hand as its own library does', () => {
    for (const hand of ['👋', '🤚', '✋', '👌', '✌', '🤞', '👍', '👎', '✊', '👏', '🙌', '🙏']) {
      for (const modifier of modifiers) {
        expect(xLength(hand + modifier)).toBe(parseTweet(hand + modifier).weightedLength);
      }
    }
  });

  test('counts any sentence as its own library does', () => {
    const word = fc.constantFrom('bread', 'Käse', 'パン', '빵', 'хлеб', 'خبز', 'Ka\u0308se', '12');
    const emoji = fc.constantFrom('🍞', '❤️', '☺', '©', THUMB, FAMILY, '🇩🇪', '1️⃣', '👨‍🎤', '🏳️‍🌈');
    const link = fc
      .tuple(
        fc.constantFrom('https://', 'http://', 'HTTPS://www.', 'www.', ''),
        fc.constantFrom('example.', 'a-b.example.', 'x1.', 'müller.', 'пример.'),
        fc.constantFrom('com', 'co', 'de', 'io', 'app', 'co.uk', 'shop', 'xn--p1ai', 'NET'),
        fc.constantFrom(
          '',
          '/',
          '/path',
          '/a_(b)',
          '/a/?q=1&r=2',
          '/#top',
          '/é',
          '/%20',
          ':8080/a',
        ),
      )
      .map((parts) => parts.join(''))
      // A bare domain in letters other than ASCII counts in parts in X's library, as text in ours.
      .filter((text) => /^http/i.test(text) || /^[ -~]*$/.test(text.split('/')[0] ?? ''));
    const tag = fc.constantFrom(
      '#bread',
      '@nora',
      '$BRD',
      'nora@example.com',
      'a.b',
      '3.50',
      'e.g.',
    );
    const wrapped = fc
      .tuple(fc.constantFrom('', '('), fc.oneof(word, emoji, link, tag))
      .map(([open, inside]) => (open === '(' ? `(${inside})` : inside));
    const between = fc.constantFrom(' ', '\n', ', ', '. ', '! ', ' – ', '…\n', ': ');
    fc.assert(
      fc.property(fc.array(fc.tuple(wrapped, between), { maxLength: 15 }), (parts) => {
        const text = parts.flat().join('');
        expect([text, xLength(text)]).toEqual([text, parseTweet(text).weightedLength]);
      }),
      { numRuns: 1000, seed: 1 },
    );
  });
});
