import { operations } from '../../../nodes/SocialPublishing/operations';
import { tableBelow } from './tables';

const offered = operations
  .map(({ resource, option }) => `${resource} ${option.name}`.toLowerCase())
  .sort();

test('docs/node.md lists every operation', () => {
  const listed = tableBelow('docs/node.md', 'The node: Social Publishing').map(
    ([resource = '', name = '']) => `${resource} ${name}`.toLowerCase(),
  );

  expect(listed.sort()).toEqual(offered);
});
