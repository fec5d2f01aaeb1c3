import { runInNewContext } from 'node:vm';

import { operations } from '../../../nodes/SocialPublishing/operations';
import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';

/** Evaluates the subtitle as the editor does: with the parameters, and nothing else. */
function subtitleOf(parameters: Record<string, unknown>): unknown {
  const { subtitle } = new SocialPublishing().description;
  const [, expression] = /^=\{\{(.*)\}\}$/s.exec(subtitle ?? '') ?? [];
  return runInNewContext(expression ?? '', { $parameter: parameters });
}

test.each(operations)('the node shows its action: $option.action', ({ resource, option }) => {
  expect(subtitleOf({ resource, operation: option.value })).toBe(option.action);
});

test.each([
  ['post', ''],
  ['post', 'unknown'],
  [undefined, undefined],
])('the node of %s and %s shows nothing', (resource, operation) => {
  expect(subtitleOf({ resource, operation })).toBe('');
});
