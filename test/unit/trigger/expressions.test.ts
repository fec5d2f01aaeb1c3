import type * as N8nWorkflow from 'n8n-workflow';
import {
  type INodeParameters,
  resolveWebhookDescriptionField,
  webhookDescriptionIsNativelyResolvable,
} from 'n8n-workflow';

import { asExpression } from '../../../nodes/shared/expressions';
import type * as ComputedFields from '../../../nodes/SocialPublishingTrigger/computedFields';
import { computedFields } from '../../../nodes/SocialPublishingTrigger/computedFields';
import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';

const shout = ({ word }: INodeParameters & { word: string }) => `${word}!`;
const expression = '={{(({ word }) => `${word}!`)($parameter)}}';

test('a function of the parameters becomes an expression', () => {
  expect(asExpression(shout)).toBe(expression);
});

describe('a computed field', () => {
  test('is an expression, and the function for an n8n that calls it', () => {
    const webhook = { name: 'default', httpMethod: 'POST', path: '', ...computedFields({ shout }) };

    expect(webhook.shout).toBe(expression);
    expect(
      resolveWebhookDescriptionField(
        { parameters: { word: 'Bread' } },
        webhook as N8nWorkflow.IWebhookDescription,
        'shout',
      ),
    ).toEqual({ resolved: true, value: 'Bread!' });
  });

  test('is only an expression for an n8n without functions', () => {
    jest.isolateModules(() => {
      jest.doMock('n8n-workflow', () => ({}));
      const earlier = jest.requireActual<typeof ComputedFields>(
        '../../../nodes/SocialPublishingTrigger/computedFields',
      );

      expect(earlier.computedFields({ shout })).toEqual({ shout: expression });
    });
  });
});

describe('for a delivery', () => {
  const [webhook] = new SocialPublishingTrigger().description.webhooks ?? [];

  test('the description has no expression that n8n must evaluate', () => {
    expect(webhook && webhookDescriptionIsNativelyResolvable(webhook)).toBe(true);
  });

  test.each([
    [{}, 'onReceived', ''],
    [{ options: {} }, 'onReceived', ''],
    [{ options: { respond: 'immediately' } }, 'onReceived', ''],
    [{ options: { respond: 'whenFinished' } }, 'lastNode', 'noData'],
  ])('with %j it answers %s', (parameters, responseMode, responseData) => {
    const resolved = (field: string) =>
      webhook && resolveWebhookDescriptionField({ parameters }, webhook, field);

    expect(resolved('responseMode')).toEqual({ resolved: true, value: responseMode });
    expect(resolved('responseData')).toEqual({ resolved: true, value: responseData });
  });
});
