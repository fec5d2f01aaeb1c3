import { checkSecret } from '../../../nodes/SocialPublishingTrigger/secret';

test.each([
  [
    'whsec_4f1c',
    'OK',
    'There is a secret. Whether it is the right one shows with the first event.',
  ],
  ['two words', 'OK', 'There is a secret. Whether it is the right one shows with the first event.'],
  [
    undefined,
    'Error',
    "The Webhook Secret is blank. It is in the service's dashboard under Settings, Webhooks.",
  ],
  [
    '',
    'Error',
    "The Webhook Secret is blank. It is in the service's dashboard under Settings, Webhooks.",
  ],
  [
    ' \t\n',
    'Error',
    "The Webhook Secret is blank. It is in the service's dashboard under Settings, Webhooks.",
  ],
  [
    ' whsec_4f1c',
    'Error',
    'The Webhook Secret begins or ends with a blank or a line break. Remove it.',
  ],
  [
    'whsec_4f1c\n',
    'Error',
    'The Webhook Secret begins or ends with a blank or a line break. Remove it.',
  ],
])('the test of the secret %j says %s', (webhookSecret, status, message) => {
  expect(checkSecret(webhookSecret)).toEqual({ status, message });
});
