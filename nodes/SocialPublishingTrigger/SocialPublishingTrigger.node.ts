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

import {
  fillEmptyAnswer,
  RECEIVED,
  refuse,
  responseData,
  responseMode,
  type Respond,
} from './answer';
import { asExpression, computedFields } from './computed';
import { receiveVerified } from './delivery';
import { assertFresh, eventKinds, readEvent } from './events';
import { configuredOutputs, isSelected, route, type Selection } from './outputs';
import { checkSecret, requireSecret } from './secret';
import { deliveryId } from './signature';

interface Options {
  otherEvents?: boolean;
  maxAgeMinutes?: number;
  respond?: Respond;
}

/** Starts workflows from the signed webhook events of the service (specification: Events). */
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
    description: 'Starts the workflow when the Social Publishing Service sends an event',
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
    eventTriggerDescription: 'Let the service send an event to the Test URL',
    triggerPanel: {
      header: 'Receive signed events from the service',
      executionsHelp: {
        inactive:
          "<b>While building</b>, copy the Test URL into the service's dashboard under Settings, Webhooks, click the button above and let an event happen.<br /><br /><b>Once the workflow is published</b>, events sent to the Production URL start it. Those runs show up in the executions list, not here.",
        active:
          "<b>Events sent to the Production URL</b> start this workflow. Those runs show up in the executions list, not here.<br /><br /><b>To try a change</b>, copy the Test URL into the service's dashboard under Settings, Webhooks, click the button above and let an event happen.",
      },
      activationHint:
        "Once the workflow is done, publish it and copy the Production URL into the service's dashboard under Settings, Webhooks.",
    },
    properties: [
      {
        displayName:
          "Copy the Production URL from above (while you test, the Test URL) into the service's dashboard under Settings, Webhooks. Then copy that endpoint's secret into the credential.",
        name: 'setupNotice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        noDataExpression: true,
        required: true,
        options: eventKinds,
        default: [],
        description:
          'The events that start the workflow. Others are acknowledged and start nothing.',
      },
      {
        displayName: 'Output per Event',
        name: 'outputPerEvent',
        type: 'boolean',
        noDataExpression: true,
        default: false,
        description:
          'Whether each chosen event comes out of an output of its own, which bears its name',
      },
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: { binaryData: true },
        options: [
          // n8n parses a body before the trigger sees it, unless this switch of its own Webhook node
          // is on; it would answer a forged body that is not JSON with 422. It looks for the switch by
          // an expression, and only in version 1: version 1.1 does without both.
          {
            displayName: 'Leave the Body to the Trigger',
            name: 'binaryData',
            type: 'hidden',
            default: true,
          },
          {
            displayName: 'Maximum Age of an Event (Minutes)',
            name: 'maxAgeMinutes',
            type: 'number',
            typeOptions: { minValue: 0 },
            default: 5,
            description:
              "How far an event's signed timestamp may lie from now. An older one, or one further in the future, is refused with status 400, so that a recorded delivery cannot be played back. 0 means no limit.",
          },
          {
            displayName: 'Other Events',
            name: 'otherEvents',
            type: 'boolean',
            noDataExpression: true,
            default: true,
            description:
              'Whether every other event starts the workflow too, also of a kind that is not listed here. With an output per event they come out of the last one, "other".',
          },
          {
            displayName: 'Respond',
            name: 'respond',
            type: 'options',
            noDataExpression: true,
            options: [
              {
                name: 'Immediately',
                value: 'immediately',
                description:
                  'When n8n has recorded the execution. What n8n is killed with is not sent again.',
              },
              {
                name: 'When Workflow Finishes',
                value: 'whenFinished',
                description:
                  'With status 500 when the run failed, so that a sender that retries makes up for it, and for an n8n that was killed',
              },
            ],
            default: 'immediately',
            description:
              'When to answer the service. The answer never holds data of the workflow. A run that is put to wait counts as finished.',
          },
        ],
      },
    ],
  };

  methods = {
    credentialTest: {
      webhookSecretTest(
        this: ICredentialTestFunctions,
        { data }: ICredentialsDecrypted,
      ): Promise<INodeCredentialTestResult> {
        return Promise.resolve(checkSecret(data?.webhookSecret as string | undefined));
      },
    },
  };

  /** The endpoint is set up by hand in the service's dashboard: there is nothing to find or remove. */
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
   * deliveryId }` if the event is selected. What starts nothing writes nothing.
   */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    try {
      const body = await receiveVerified(this);
      const event = readEvent(body);
      const options = this.getNodeParameter('options', {}) as Options;
      const selection: Selection = {
        events: this.getNodeParameter('events', []) as string[],
        outputPerEvent: this.getNodeParameter('outputPerEvent', false) as boolean,
        options,
      };
      if (!isSelected(event.event, selection)) return { webhookResponse: RECEIVED };
      assertFresh(event, options.maxAgeMinutes ?? 0, Date.now());
      if (options.respond === 'whenFinished') fillEmptyAnswer(this);
      const item = { json: { ...event, deliveryId: deliveryId(body) } };
      return {
        workflowData: route(event.event, item, selection),
        webhookResponse: RECEIVED,
      };
    } catch (error) {
      return refuse(this, error);
    }
  }
}
