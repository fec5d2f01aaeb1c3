import '../harness/instance';

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type {
  ICredentialDataDecryptedObject,
  INodeParameters,
  NodeOperationError,
} from 'n8n-workflow';

import { PublishedTrigger, type StartItems } from '../../../scripts/engine/published-trigger';
import { inARow, KnownNodeTypes, storedCredentials } from '../harness';

const credentialType = 'socialPublishingWebhookApi';

/** A trigger of a published workflow: the credential of its node and the node's parameters. */
export interface Published {
  parameters: INodeParameters;
  /** The Webhook Secret that the user entered; without one the node has no credential. */
  webhookSecret?: string;
  otherSecrets?: string;
  /** `manual` while the editor listens for a test event; `webhook`, the default, once published. */
  mode?: 'webhook' | 'manual';
}

/** The trigger node on the engine, with a real HTTP server in front. */
export class Receiver {
  /** What each delivery made n8n start, in the order of arrival. */
  readonly started: StartItems[] = [];

  /** How often the secret was read. */
  secretReads = 0;

  /** The secret is not read before this has resolved. */
  secretAvailable = Promise.resolve();

  /** Runs the workflow; n8n responds with 500 when it fails. */
  run: () => Promise<void> = () => Promise.resolve();

  /** What the trigger's webhook threw; n8n records a failed execution for each, and responds with 500. */
  readonly thrown: NodeOperationError[] = [];

  private arrivals = 0;

  private constructor(
    readonly trigger: PublishedTrigger,
    private readonly server: Server,
  ) {}

  static async start({
    parameters,
    webhookSecret,
    otherSecrets = '',
    mode = 'webhook',
  }: Published): Promise<Receiver> {
    const data: ICredentialDataDecryptedObject = {
      webhookSecret: webhookSecret ?? '',
      otherSecrets,
    };
    const credentials = await storedCredentials({ secret: { type: credentialType, data } });
    const workflow = inARow({
      name: 'Trigger',
      type: 'n8n-nodes-social-publishing.socialPublishingTrigger',
      typeVersion: 1.1,
      webhookId: 'f00d',
      parameters,
      ...(webhookSecret !== undefined && {
        credentials: { [credentialType]: { id: 'secret', name: 'Secret' } },
      }),
    });
    const installed = { nodeTypes: new KnownNodeTypes(), credentials };
    const server = createServer();
    const trigger = new PublishedTrigger(workflow, 'Trigger', installed, mode);
    const receiver = new Receiver(trigger, server);
    const getDecrypted = credentials.getDecrypted.bind(credentials);
    credentials.getDecrypted = async (...args) => {
      receiver.secretReads += 1;
      await receiver.secretAvailable;
      return await getDecrypted(...args);
    };
    server.on('request', (request, response) => {
      receiver.arrivals += 1;
      const start = (items: StartItems) => {
        receiver.started.push(items);
        return receiver.run();
      };
      trigger
        .receive(request, response, start)
        .catch((error: unknown) => receiver.thrown.push(error as NodeOperationError));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Waits until as many deliveries have reached the trigger. */
  async received(count: number): Promise<void> {
    while (this.arrivals < count) await once(this.server, 'request');
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
