import {
  type INodeParameters,
  resolveWebhookDescriptionField,
  webhookDescriptionIsNativelyResolvable,
} from 'n8n-workflow';

import { asExpression } from '../../../nodes/shared/expressions';
import type * as Response from '../../../nodes/SocialPublishingTrigger/response';
import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';

const shout = ({ word }: INodeParameters & { word: string }) => `${word}!`;
const expression = '={{(({ word }) => `${word}!`)($parameter)}}';

test('a function of the parameters becomes an expression', () => {
  expect(asExpression(shout)).toBe(expression);
});

describe('for a delivery', () => {
  const [webhook] = new SocialPublishingTrigger().description.webhooks ?? [];

  test('the description has no expression that n8n must evaluate', () => {
    expect(webhook && webhookDescriptionIsNativelyResolvable(webhook)).toBe(true);
  });

  test('an n8n that calls no functions gets expressions', () => {
    jest.isolateModules(() => {
      jest.doMock('n8n-workflow', () => ({}));
      const { responseFields } = jest.requireActual<typeof Response>(
        '../../../nodes/SocialPublishingTrigger/response',
      );

      const isExpression = expect.stringMatching(/^=\{\{.*\}\}$/s) as string;
      expect(responseFields).toEqual({ responseMode: isExpression, responseData: isExpression });
    });
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
