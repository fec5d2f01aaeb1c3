import { getAll } from '../../../nodes/SocialPublishing/operations/account/getAll.operation';
import { runHints } from '../../../nodes/SocialPublishing/run/notices';
import { succeeded } from '../../../nodes/SocialPublishing/service/outcome';

test.each([
  [201, []],
  [200, ['200 of 1,000 requests of the API key are left']],
])('with %i of 1,000 requests left, the lines above the output are %j', (remaining, lines) => {
  const outcome = succeeded([{ id: 1 }], { limit: '1000', remaining: String(remaining) });
  const hints = runHints({ operation: getAll, isManual: true, report: [{ outcome }] }, 0);

  expect(hints.map(({ message }) => message)).toEqual(lines);
});
