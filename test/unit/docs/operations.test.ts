import { operations } from '../../../nodes/SocialPublishing/operations';
import { read } from './documents';

const offered = operations
  .map(({ resource, option }) => `${resource} ${option.name}`.toLowerCase())
  .sort();

test('docs/node.md lists every operation', () => {
  const listed = [...read('docs/node.md').matchAll(/^- (\w+), ([\w ]+): /gm)].map(
    ([, resource = '', name = '']) => `${resource} ${name}`.toLowerCase(),
  );

  expect(listed.sort()).toEqual(offered);
});
