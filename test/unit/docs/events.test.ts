import { eventKinds } from '../../../nodes/SocialPublishingTrigger/events';
import { eventNames } from '../../../sandbox/records';
import { read } from './documents';

const kinds = eventKinds.map(({ value }) => value);

test('the sandbox has the event kinds of the trigger', () => {
  expect([...eventNames].sort()).toEqual(kinds.toSorted());
});

test.each([
  ['README.md', /`([a-z]+\.[a-z]+)`/g],
  ['docs/service.md', /^- `([a-z]+\.[a-z]+)`:/gm],
  ['docs/trigger.md', /^- \[([a-z]+\.[a-z]+)\]/gm],
])('%s lists each event kind', (document, pattern) => {
  const listed = [...read(document).matchAll(pattern)].map(([, kind = '']) => kind);
  expect(listed.filter((kind) => kinds.includes(kind)).toSorted()).toEqual(kinds.toSorted());
});
