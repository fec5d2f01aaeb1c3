import { readTime } from '../../../nodes/SocialPublishing/parameters/times/times';
import { zoneOf } from '../../../nodes/SocialPublishing/parameters/times/zones';
import { read } from './documents';

const list =
  read('docs/node.md').split('reads these texts and numbers:\n\n')[1]?.split('\n\n')[0] ?? '';
const examples = [...list.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

test('the document has examples of dates', () => {
  expect(examples.length).toBeGreaterThan(15);
});

test.each(examples)('the node reads the date of the document: %s', (text) => {
  const reading = readTime(text, { zone: zoneOf('Europe/Berlin')!, order: 'ask' });
  expect(reading).toMatchObject({ utc: expect.stringMatching(/^2026-12-/) as string });
});
