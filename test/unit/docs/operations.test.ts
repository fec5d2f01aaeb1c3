import { operations } from '../../../nodes/SocialPublishing/operations';
import { tableBelow } from './tables';

const offered = operations
  .map(({ resource, option }) => `${resource} ${option.name}`.toLowerCase())
  .sort();

test.each([
  ['README.md', 'All operations'],
  ['docs/node.md', 'The node: Social Publishing'],
])('%s lists every operation', (document, heading) => {
  const listed = tableBelow(document, heading).flatMap(([resource = '', names = '']) =>
    names.split(', ').map((name) => `${resource} ${name}`.toLowerCase()),
  );

  expect(listed.sort()).toEqual(offered);
});
