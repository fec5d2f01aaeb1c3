import type {
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  IHookFunctions,
  INodeCredentialTestResult,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';

import { receiveVerified } from './delivery';
import { assertFresh, readEvent } from './events';
import { asExpression, computedFields } from './expressions';
import { configuredOutputs, isSelected, route } from './outputs';
import { properties, readParameters } from './properties';
import { fillEmptyResponse, RECEIVED, refuse, responseData, responseMode } from './response';
import { checkSecret, requireSecret } from './secret';
import { deliveryId } from './signature';

/** Starts workflows from the signed webhook events of the service (docs/service.md, "Events"). */
export class SocialPublishingTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Social Publishing Trigger',
    name: 'socialPublishingTrigger',
    icon: {
      light: 'file:../SocialPublishing/socialPublishing.svg',
      dark: 'file:../SocialPublishing/socialPublishing.dark.svg',
    },
    group: ['trigger'],
    version: [1, 1.1],
    defaultVersion: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description:
      'Schedule social media posts, and start workflows when a post is published or fails, or when a comment or message arrives',
    defaults: { name: 'Social Publishing Trigger' },
    inputs: [],
    outputs: asExpression(configuredOutputs),
    credentials: [
      {
        name: 'socialPublishingWebhookApi',
        required: true,
        testedBy: 'webhookSecretTest',
      },
    ],
    webhooks: [
      {
        name: 'default',
        httpMethod: 'POST',
        path: 'webhook',
        ...computedFields({ responseMode, responseData }),
      },
    ],
    eventTriggerDescription: 'Waiting for the service to send an event to the Test URL',
    triggerPanel: {
      header: 'Receive signed events from the service',
      executionsHelp: {
        inactive:
          "<b>While you build</b>, copy the Test URL into the service's dashboard under Settings, Webhooks. Click the button above, then make an event happen.<br /><br /><b>Once the workflow is published</b>, events sent to the Production URL start it. You find those runs in the executions list, not here.",
        active:
          "<b>Events sent to the Production URL</b> start this workflow. You find those runs in the executions list, not here.<br /><br /><b>To test a change</b>, copy the Test URL into the service's dashboard under Settings, Webhooks. Click the button above, then make an event happen.",
      },
      activationHint:
        "When the workflow is ready, publish it and copy the Production URL into the service's dashboard under Settings, Webhooks.",
    },
    properties,
  };

  methods = {
    credentialTest: {
      webhookSecretTest(
        this: ICredentialTestFunctions,
        { data }: ICredentialsDecrypted,
      ): Promise<INodeCredentialTestResult> {
        return Promise.resolve(checkSecret(data?.webhookSecret));
      },
    },
  };

  /** Users set up the endpoint in the service's dashboard, so there is nothing to find or remove. */
  webhookMethods = {
    default: {
      checkExists: () => Promise.resolve(false),
      async create(this: IHookFunctions): Promise<boolean> {
        await requireSecret(this);
        return true;
      },
      delete: () => Promise.resolve(true),
    },
  };

  /**
   * Handles one delivery: verifies it, reads the event, and emits `{ event, timestamp, data,
   * deliveryId }` if the event is selected. A delivery that starts no run writes nothing.
   */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    try {
      const body = await receiveVerified(this);
      const event = readEvent(body);
      const parameters = readParameters(this);
      const { maxAgeMinutes, respond } = parameters.options;
      if (!isSelected(event.event, parameters)) return { webhookResponse: RECEIVED };
      assertFresh(event, maxAgeMinutes ?? 0, Date.now());
      if (respond === 'whenFinished') fillEmptyResponse(this);
      const item = { json: { ...event, deliveryId: deliveryId(body) } };
      return {
        workflowData: route(event.event, item, parameters),
        webhookResponse: RECEIVED,
      };
    } catch (error) {
      return refuse(this, error);
    }
  }
}
