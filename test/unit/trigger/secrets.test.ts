import {
  checkCredential,
  findProblem,
  listSecrets,
  MAX_OTHER_SECRETS,
} from '../../../nodes/SocialPublishingTrigger/secrets';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `whsec_${index}`);

describe('listSecrets', () => {
  test.each([
    ['the Webhook Secret alone', 'a', '', ['a']],
    ['both', 'a', 'b\nc', ['a', 'b', 'c']],
    ['the lines of Windows and of an old Mac', 'a', 'b\r\nc\rd', ['a', 'b', 'c', 'd']],
    ['no blank line', 'a', '\n\n b\n \t\n', ['a', ' b']],
    ['no blank Webhook Secret', ' ', 'b', ['b']],
    ['none twice', 'a', 'b\na\nb', ['a', 'b']],
    ['what is inside a line as it is', 'a b', 'c, d', ['a b', 'c, d']],
    ['what stands behind many blank lines', 'a', `${'\n'.repeat(60)}b`, ['a', 'b']],
    ['nothing of no secrets', '', '', []],
    ['nothing of fields that are not text', 1, null, []],
    ['nothing of missing fields', undefined, undefined, []],
  ])('lists %s', (_, webhookSecret, otherSecrets, expected) => {
    expect(listSecrets({ webhookSecret, otherSecrets })).toEqual(expected);
  });

  test('is bounded', () => {
    expect(MAX_OTHER_SECRETS).toBe(50);
    const listed = listSecrets({ webhookSecret: 'a', otherSecrets: lines(51).join('\n') });

    expect(listed).toHaveLength(51);
    expect(listed).not.toContain('whsec_50');
  });
});

test.each([
  ['whsec_4f1c', '', undefined],
  ['two words', undefined, undefined],
  ['whsec_4f1c', 'whsec_2\n\nwhsec_3\n', undefined],
  ['whsec_4f1c', lines(50).join('\n'), undefined],
  ['whsec_4f1c', ` \n${lines(50).join('\n')}\n\t`, undefined],
  [undefined, undefined, 'blankSecret'],
  ['', 'whsec_2', 'blankSecret'],
  [' \t\n', '', 'blankSecret'],
  [' whsec_4f1c', '', 'spaceAroundSecret'],
  ['whsec_4f1c\n', '', 'spaceAroundSecret'],
  ['whsec_4f1c', '\nwhsec_2\nwhsec_3 ', 'spaceAroundOtherSecret'],
  ['whsec_4f1c', lines(51).join('\n'), 'tooManySecrets'],
])('the credential with %j and %j has the problem %s', (webhookSecret, otherSecrets, code) => {
  const credential = { webhookSecret, otherSecrets };

  expect(findProblem(credential)?.code).toBe(code);
  expect(checkCredential(credential).status).toBe(code === undefined ? 'OK' : 'Error');
});

test('a line of Other Secrets is named by its number', () => {
  const credential = { webhookSecret: 'whsec_4f1c', otherSecrets: '\nwhsec_2\nwhsec_3 ' };

  expect(checkCredential(credential).message).toMatch(/\b3\b.*Other Secrets/);
});
