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

import { linkTo } from '../shared/documentation';
import { asExpression } from '../shared/expressions';
import { receiveVerified } from './delivery';
import { assertFresh, eventKinds, readEvent } from './events';
import { configuredOutputs, describeSelection, isSelected, route } from './outputs';
import { properties, readParameters } from './properties';
import { isRepeat } from './repeats';
import { fillEmptyResponse, RECEIVED, refuse, responseFields } from './response';
import { checkCredential, requireSecrets } from './secrets';
import { deliveryId } from './signature';

const SAMPLES = `<b>No event at hand?</b> Pin a ${linkTo('docs/trigger.md#samples', 'sample')} to this node.`;

const namedKinds = eventKinds.map(({ value, output }) => ({ value, output }));

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
    // Not 1: for a node of version 1, n8n evaluates an expression that looks for an option of its own
    // Webhook node. That costs a sandbox for each delivery.
    version: 1.1,
    subtitle: asExpression(describeSelection, namedKinds),
    description:
      'Starts a workflow when a social media post is published or fails, when a comment or message arrives, when an AI agent acts, or when an account is disconnected',
    builderHint: {
      searchHint:
        "Reacts to events of the Social Publishing Service. To schedule a post, use the Social Publishing node. n8n cannot create the webhook endpoint: tell the user to add one by hand in the service's dashboard under Settings, Webhooks, with the Production URL of this node, and to copy its secret into the credential. The service documents the fields of data for post.published only: do not make up fields of the other events.",
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-social-publishing.socialPublishing',
          relationHint: 'Schedules posts, reads accounts, posts and analytics, and runs AI agents',
        },
      ],
    },
    defaults: { name: 'Social Publishing Trigger' },
    inputs: [],
    outputs: asExpression(configuredOutputs, namedKinds),
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
        ...responseFields,
      },
    ],
    eventTriggerDescription:
      'Waiting for an event at the Test URL. Make one happen in the service.',
    triggerPanel: {
      header: 'Receive an event from the service',
      executionsHelp: {
        inactive: `<b>While you build</b>, click the button above. Then make an event happen in the service: for example, publish a post. The endpoint in the service's dashboard must have the <b>Test URL</b>.<br /><br /><b>Once the workflow is published</b>, the endpoint must have the <b>Production URL</b>. Each event then starts a run. These runs are in the executions list, not here.<br /><br />${SAMPLES}`,
        active: `<b>Events sent to the Production URL</b> start this workflow. These runs are in the executions list, not here.<br /><br /><b>To test a change</b>, click the button above and send an event to the <b>Test URL</b>. A second endpoint for it has its own secret: enter it in the credential under Other Secrets.<br /><br />${SAMPLES}`,
      },
      activationHint:
        "When the workflow is ready, publish it and change the endpoint's address in the service's dashboard to the Production URL.",
    },
    properties,
  };

  methods = {
    credentialTest: {
      webhookSecretTest(
        this: ICredentialTestFunctions,
        { data }: ICredentialsDecrypted,
      ): Promise<INodeCredentialTestResult> {
        return Promise.resolve(checkCredential(data ?? {}));
      },
    },
  };

  /** Users set up the endpoint in the service's dashboard, so there is nothing to find or remove. */
  webhookMethods = {
    default: {
      checkExists: () => Promise.resolve(false),
      async create(this: IHookFunctions): Promise<boolean> {
        await requireSecrets(this);
        return true;
      },
      delete: () => Promise.resolve(true),
    },
  };

  /**
   * Handles one delivery: verifies it, reads the event, and emits `{ event, timestamp, data,
   * deliveryId }` if the event is selected. A refused delivery writes nothing to n8n's database, except
   * in a test run.
   */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    try {
      const body = await receiveVerified(this);
      const event = readEvent(body);
      const parameters = readParameters(this);
      const { dropRepeats, maxAgeMinutes, respond } = parameters.options;
      if (!isSelected(event.event, parameters)) return { webhookResponse: RECEIVED };
      const id = deliveryId(body);
      if (dropRepeats && (await isRepeat(this, id))) return { webhookResponse: RECEIVED };
      assertFresh(event, maxAgeMinutes ?? 0, Date.now());
      if (respond === 'whenFinished') fillEmptyResponse(this);
      const item = { json: { ...event, deliveryId: id } };
      return {
        workflowData: route(event.event, item, parameters),
        webhookResponse: RECEIVED,
      };
    } catch (error) {
      return refuse(this, error);
    }
  }
}
