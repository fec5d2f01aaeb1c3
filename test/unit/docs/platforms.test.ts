import { platforms } from '../../../nodes/SocialPublishing/operations/post/platforms/limits';
import {
  shareLinks,
  SOURCES_READ,
} from '../../../nodes/SocialPublishing/operations/post/platforms/shareLinks';
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

test.each(rows)('%s takes what the document says', (name, text, count, media, needs, source) => {
  const known = platforms.find((one) => one.name === name);
  const units = [...(known?.text ?? []), ...(known?.textWithVideo ?? [])];

  expect(numbersIn(text)).toEqual(units.map(({ max }) => max));
  expect(text?.includes('bytes')).toBe(units.some(({ unit }) => unit === 'bytes'));
  expect(count).not.toBe('');
  expect(numbersIn(media)).toEqual([
    ...(known?.media === undefined ? [] : [known.media]),
    ...(known?.videos === undefined ? [] : [known.videos]),
  ]);
  expect(needs).toBe(
    { media: 'picture or video', video: 'video', none: '' }[known?.needs ?? 'none'],
  );
  expect(linksIn(source)).toEqual(known?.sources);
  expect(source).toContain(known?.read);
});

test('the share links of the document are those of the node', () => {
  const told = tableBelow('docs/node.md', 'Share links');

  expect(told.map(([of, opens, , source]) => [of, opens, ...linksIn(source)])).toEqual(
    shareLinks.map(({ of, opens, source }) => [of, opens, source]),
  );
  for (const row of told) expect(row[3]).toContain(SOURCES_READ);
});
