import { runInNewContext } from 'node:vm';

import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';

/** Evaluates the subtitle as the editor does: with the parameters, and nothing else. */
function subtitleOf(parameters: Record<string, unknown>): unknown {
  const { subtitle } = new SocialPublishing().description;
  const [, expression] = /^=\{\{(.*)\}\}$/s.exec(subtitle ?? '') ?? [];
  return runInNewContext(expression ?? '', { $parameter: parameters });
}

test.each([
  ['account', 'getAll', 'Get many accounts'],
  ['agent', 'create', 'Create an agent'],
  ['agent', 'getAll', 'Get many agents'],
  ['agent', 'update', 'Update an agent'],
  ['analytics', 'get', 'Get analytics'],
  ['post', 'create', 'Schedule a post'],
  ['post', 'getAll', 'Get many posts'],
  ['post', 'preview', 'Preview a post'],
  ['post', '', ''],
  [undefined, undefined, ''],
])('the node of %s and %s is subtitled "%s"', (resource, operation, expected) => {
  expect(subtitleOf({ resource, operation })).toBe(expected);
});
