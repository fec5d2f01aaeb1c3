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
  const told = tableBelow('docs/service.md', 'Platforms');

  expect(told.map(([name, source]) => [name, linksIn(source)])).toEqual(
    platforms.map(({ name, sources }) => [name, sources]),
  );
  expect(read('docs/service.md')).toContain(`read on ${LIMITS_READ}`);
  const readApart = platforms.filter(({ read: day }) => day !== undefined);
  expect(readApart).toEqual([]);
});

test('the share links of the document are those of the node', () => {
  const told = tableBelow('docs/service.md', 'Media');

  expect(told.map(([of, opens, source]) => [of, opens, ...linksIn(source)])).toEqual(
    shareLinks.map(({ of, opens, source }) => [of, opens, source]),
  );
  expect(read('docs/service.md')).toContain(`read on ${SOURCES_READ}`);
});

test('the document for users names each host of a share link', () => {
  const [, told = ''] = read('docs/node.md').split('### Share links');
  const [section = ''] = told.split('\n## ');
  expect(shareLinks.filter(({ of }) => !section.includes(of))).toEqual([]);
});
