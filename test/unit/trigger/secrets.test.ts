import {
  checkCredential,
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

const ok = 'A secret is set. The first event will show whether it is correct.';
const blank =
  "The Webhook Secret is blank. Copy it from the service's dashboard under Settings, Webhooks.";
const padded = 'The Webhook Secret begins or ends with a space or a line break. Remove it.';
test.each([
  ['whsec_4f1c', '', 'OK', ok],
  ['two words', undefined, 'OK', ok],
  ['whsec_4f1c', 'whsec_2\n\nwhsec_3\n', 'OK', ok],
  ['whsec_4f1c', lines(50).join('\n'), 'OK', ok],
  ['whsec_4f1c', ` \n${lines(50).join('\n')}\n\t`, 'OK', ok],
  [undefined, undefined, 'Error', blank],
  ['', 'whsec_2', 'Error', blank],
  [' \t\n', '', 'Error', blank],
  [' whsec_4f1c', '', 'Error', padded],
  ['whsec_4f1c\n', '', 'Error', padded],
  [
    'whsec_4f1c',
    '\nwhsec_2\nwhsec_3 ',
    'Error',
    'Line 3 of Other Secrets begins or ends with a space. Remove it.',
  ],
  [
    'whsec_4f1c',
    lines(51).join('\n'),
    'Error',
    'Other Secrets has 51 lines, and only 50 are allowed. Use a second workflow with its own credential for the rest.',
  ],
])(
  'the test of the credential with %j and %j says %s: %s',
  (webhookSecret, otherSecrets, status, message) => {
    expect(checkCredential({ webhookSecret, otherSecrets })).toEqual({ status, message });
  },
);
