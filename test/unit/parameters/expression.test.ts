import { ExpressionError } from 'n8n-workflow';

import { expressionProblem, plainText } from '../../../nodes/SocialPublishing/parameters/refusal';

test.each([
  ['Run ‘<strong>A</strong>’ first', 'Run ‘A’ first'],
  ['One<br/>two<br>three', 'One two three'],
  ['<p>One</p><p>two</p>', 'One two'],
  ['See <a href="https://docs.example.com">the docs</a>', 'See the docs'],
  ['a &lt;b&gt; &amp; &quot;c&quot;', 'a <b> & "c"'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
])('plain text of %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

test('an expression that fails is told with what n8n says about it', () => {
  const error = new ExpressionError('No <b>data</b>.', { description: 'Run it<br>first.' });

  expect(expressionProblem(error)).toEqual({
    problem: expect.stringMatching(/: No data$/) as string,
    hint: 'Run it first.',
    code: 'failingExpression',
  });
  expect(expressionProblem(new ExpressionError('No data')).hint).not.toBe('');
});
