import { isLongForSome, judge, type Media } from '../../../nodes/SocialPublishing/platforms/judge';
import {
  limitedPlatforms as platforms,
  LIMITS_READ,
  limitsOf,
  platformKey,
} from '../../../nodes/SocialPublishing/platforms/platforms';

const media = (count: number, ending = 'jpg'): Media[] =>
  Array.from({ length: count }, (_, index) => ({
    address: `https://example.com/${index}.${ending}`,
  }));

const about = (platform: string, text: string, given: readonly Media[] = []): string[] =>
  judge(platformKey(platform), { text, media: given }).objections.map(
    (objection) => objection.about,
  );

const letters = (count: number): string => 'x'.repeat(count);

describe('the length of a text', () => {
  test.each([
    ['instagram', 2200],
    ['facebook', 63_206],
    ['linkedin', 3000],
    ['x', 280],
    ['twitter', 280],
    ['tiktok', 4000],
    ['youtube', 5000],
    ['threads', 500],
    ['bluesky', 300],
    ['mastodon', 500],
    ['pinterest', 800],
    ['google_business', 1500],
  ])('on %s may be %i', (platform, limit) => {
    const video = media(1, platform === 'youtube' ? 'mp4' : 'jpg');
    const full = judge(platformKey(platform), { text: letters(limit), media: video });
    const over = judge(platformKey(platform), { text: letters(limit + 1), media: video });

    expect(full).toEqual({ length: limit, limit, objections: [] });
    expect(over).toMatchObject({ length: limit + 1, limit, objections: [{ about: 'content' }] });
  });

  test('on YouTube counts in bytes', () => {
    const video = media(1, 'mp4');
    expect(judge('youtube', { text: 'ä'.repeat(2501), media: video })).toMatchObject({
      length: 5002,
      objections: [{ problem: expect.stringContaining('5,000 bytes') as string }],
    });
  });

  test('on Bluesky counts what people see, and no more than 3,000 bytes of it', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(judge('bluesky', { text: family.repeat(100), media: [] })).toMatchObject({
      length: 100,
      limit: 300,
      objections: [],
    });
    expect(judge('bluesky', { text: family.repeat(130), media: [] })).toMatchObject({
      length: 3250,
      limit: 3000,
      objections: [{ problem: expect.stringContaining('3,000 bytes') as string }],
    });
  });

  test('on TikTok is shorter beside a video', () => {
    expect(about('tiktok', letters(2201), media(1, 'jpg'))).toEqual([]);
    expect(about('tiktok', letters(2201), media(1, 'mp4'))).toEqual(['content']);
    expect(about('tiktok', letters(2200), media(1, 'mp4'))).toEqual([]);
  });

  test('that some accounts may exceed is said so', () => {
    const [objection] = judge('x', { text: letters(281), media: [] }).objections;
    expect(objection?.problem).toMatch(/280 characters that X takes, unless .+ X Premium$/);
  });
});

describe('media', () => {
  test.each(['instagram', 'tiktok', 'pinterest', 'youtube'])('%s needs them', (platform) => {
    expect(about(platform, 'Hello')).toEqual(['mediaUrls']);
  });

  test.each(['facebook', 'linkedin', 'x', 'threads', 'bluesky', 'mastodon', 'google_business'])(
    '%s needs none',
    (platform) => {
      expect(about(platform, 'Hello')).toEqual([]);
    },
  );

  test.each([
    ['instagram', 10],
    ['linkedin', 20],
    ['x', 4],
    ['tiktok', 35],
    ['threads', 20],
    ['bluesky', 4],
    ['mastodon', 4],
    ['pinterest', 5],
  ])('%s takes %i pictures', (platform, count) => {
    expect(about(platform, 'Hello', media(count))).toEqual([]);
    expect(about(platform, 'Hello', media(count + 1))).toEqual(['mediaUrls']);
  });

  test.each(['linkedin', 'tiktok', 'bluesky', 'pinterest', 'youtube'])(
    '%s takes one video',
    (platform) => {
      expect(about(platform, 'Hello', media(1, 'mp4'))).toEqual([]);
      expect(about(platform, 'Hello', media(2, 'mp4'))).toEqual(['mediaUrls']);
    },
  );

  test('YouTube takes no picture, and what may be a video', () => {
    expect(about('youtube', 'Hello', media(1, 'jpg'))).toEqual(['mediaUrls']);
    expect(about('youtube', 'Hello', [{ address: 'https://example.com/a' }])).toEqual([]);
    expect(about('youtube', 'Hello', [{ type: 'video/mp4' }])).toEqual([]);
    expect(
      about('youtube', 'Hello', [{ address: 'https://example.com/a', type: 'image/png' }]),
    ).toEqual(['mediaUrls']);
  });

  test('a type that is known decides, whatever the address ends in', () => {
    const given = [{ address: 'https://example.com/a.jpg', type: 'video/mp4' }];
    expect(about('tiktok', letters(2201), given)).toEqual(['content']);
  });
});

test.each(['friendster', 'my platform', '', 'toString', '__proto__'])(
  'nothing is held against the platform %j, which is not known',
  (platform) => {
    expect(judge(platformKey(platform), { text: letters(100_000), media: media(100) })).toEqual({
      length: 100_000,
      limit: undefined,
      objections: [],
    });
  },
);

test.each([
  ['Instagram', 'Instagram'],
  ['google-business', 'Google Business Profile'],
  ['GoogleMyBusiness', 'Google Business Profile'],
  ['LINKEDIN', 'LinkedIn'],
])('%s is known as %s', (identifier, name) => {
  expect(limitsOf(platformKey(identifier))?.name).toBe(name);
});

test('each row of the table says where it is from and when it was read', () => {
  for (const { sources, read = LIMITS_READ } of platforms) {
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(source).toMatch(/^https:\/\/\S+$/);
    expect(read).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(Date.parse(read)).toBeLessThanOrEqual(Date.now());
  }
});

test.each([
  [letters(280), [], false],
  [letters(281), [], true],
  // 23 on X, but 320 on Bluesky.
  [`https://example.com/${letters(300)}`, [], true],
  ['https://example.com/bread '.repeat(10), [], false],
  ['故'.repeat(140), [], false],
  ['故'.repeat(141), [], true],
])('%# a text is long for some platform when it exceeds any limit', (text, given, expected) => {
  expect(isLongForSome({ text, media: given })).toBe(expected);
});
