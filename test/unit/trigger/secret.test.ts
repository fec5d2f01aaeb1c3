import { checkSecret } from '../../../nodes/SocialPublishingTrigger/secret';

test.each([
  ['whsec_4f1c', 'OK', 'A secret is set. The first event will show whether it is correct.'],
  ['two words', 'OK', 'A secret is set. The first event will show whether it is correct.'],
  [
    undefined,
    'Error',
    "The Webhook Secret is blank. Copy it from the service's dashboard under Settings, Webhooks.",
  ],
  [
    '',
    'Error',
    "The Webhook Secret is blank. Copy it from the service's dashboard under Settings, Webhooks.",
  ],
  [
    ' \t\n',
    'Error',
    "The Webhook Secret is blank. Copy it from the service's dashboard under Settings, Webhooks.",
  ],
  [
    ' whsec_4f1c',
    'Error',
    'The Webhook Secret begins or ends with a space or a line break. Remove it.',
  ],
  [
    'whsec_4f1c\n',
    'Error',
    'The Webhook Secret begins or ends with a space or a line break. Remove it.',
  ],
])('the test of the secret %j says %s', (webhookSecret, status, message) => {
  expect(checkSecret(webhookSecret)).toEqual({ status, message });
});
