import {
  limitedPlatforms as platforms,
  LIMITS_READ,
} from '../../../nodes/SocialPublishing/platforms/platforms';
import { shareLinks, SOURCES_READ } from '../../../nodes/SocialPublishing/platforms/shareLinks';
import { read } from './documents';
import { tableBelow } from './tables';

const rows = tableBelow('docs/node.md', 'What platforms take');

/** The numbers that a cell names. */
const numbersIn = (cell = ''): number[] =>
  [...cell.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')));

const linksIn = (cell = ''): string[] =>
  [...cell.matchAll(/\]\((https:[^)]+)\)/g)].map(([, link = '']) => link);

/** What each item of the list below a heading of the service's document is about, with its links. */
function itemsBelow(heading: string): Array<[of: string, links: string[]]> {
  const [, section = ''] = read('docs/service.md').split(`\n## ${heading}\n`);
  const [list = ''] = section.split('\n## ');
  return list
    .split('\n- ')
    .slice(1)
    .map((item) => [item.split(': ')[0] ?? '', linksIn(item)]);
}

test('the platforms of the document are those of the node', () => {
  expect(rows.map(([name]) => name)).toEqual(platforms.map(({ name }) => name));
});

test.each(rows)('%s takes what the document says', (name, text, media, needs) => {
  const known = platforms.find((one) => one.name === name);
  const units = [...(known?.text ?? []), ...(known?.textWithVideo ?? [])];

  expect(numbersIn(text)).toEqual(units.map(({ max }) => max));
  expect(text?.includes('000 bytes')).toBe(units.some(({ unit }) => unit === 'bytes'));
  expect(numbersIn(media)).toEqual([
    ...(known?.media === undefined ? [] : [known.media]),
    ...(known?.videos === undefined ? [] : [known.videos]),
  ]);
  expect(needs).toBe({ media: 'media', video: 'video', none: '' }[known?.needs ?? 'none']);
});

test('the sources of the limits are those of the node', () => {
  expect(itemsBelow('Platforms')).toEqual(platforms.map(({ name, sources }) => [name, sources]));
  expect(read('docs/service.md')).toContain(`read on ${LIMITS_READ}`);
  const readApart = platforms.filter(({ read: day }) => day !== undefined);
  expect(readApart).toEqual([]);
});

test('the share links of the document are those of the node', () => {
  expect(itemsBelow('Media')).toEqual(
    shareLinks.map(({ of, opens, source }) => [`${of}, ${opens}`, [source]]),
  );
  expect(read('docs/service.md')).toContain(`read on ${SOURCES_READ}`);
});

test('the document for users names each host of a share link', () => {
  const [, told = ''] = read('docs/node.md').split('### Share links');
  const [section = ''] = told.split('\n## ');
  expect(shareLinks.filter(({ of }) => !section.includes(of))).toEqual([]);
});
