import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

import { HookContext, WebhookContext } from 'n8n-core';
import type {
  ICredentialDataDecryptedObject,
  IHookFunctions,
  INode,
  INodeOutputConfiguration,
  INodeParameters,
  IWebhookData,
  IWebhookFunctions,
  IWebhookResponseData,
  IWorkflowExecuteAdditionalData,
  NodeOperationError,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { additionalDataWith, KnownNodeTypes, StoredCredentials } from '../harness';

const credentialType = 'socialPublishingWebhookApi';

/** The express response, as far as n8n and nodes use it here. */
type Response = Parameters<RequestListener>[1] & {
  status(code: number): Response;
  json(body: unknown): Response;
};

function expressLike(response: Parameters<RequestListener>[1]): Response {
  return Object.assign(response, {
    status(this: Response, code: number) {
      this.statusCode = code;
      return this;
    },
    json(this: Response, body: unknown) {
      this.setHeader('Content-Type', 'application/json');
      return this.end(JSON.stringify(body));
    },
  });
}

/** Reads a body as n8n does: gzip is decoded, and the limit is n8n's default of 16 MB. */
function readsRawBody(request: IncomingMessage): IncomingMessage {
  request.readRawBody = async () => {
    const gzipped = request.headers['content-encoding'] === 'gzip';
    const bytes = await buffer(gzipped ? request.pipe(createGunzip()) : request);
    if (bytes.length > 16 * 1024 * 1024) throw new Error('request entity too large');
    request.rawBody = bytes;
  };
  return request;
}

/** A trigger of a published workflow: the credential of its node and the node's parameters. */
export interface Published {
  parameters: INodeParameters;
  /** The Webhook Secret that the user entered; without one the node has no credential. */
  webhookSecret?: string;
  otherSecrets?: string;
  /** `manual` while the editor listens for a test event; `webhook`, the default, once published. */
  mode?: 'webhook' | 'manual';
}

/**
 * The trigger node in n8n-core's own contexts, with a real HTTP server in front. What n8n does
 * between the two, among it storing executions, is tried in the real n8n.
 */
export class Receiver {
  /** What each delivery made n8n start, in the order of arrival: the items of each output. */
  readonly started: Array<NonNullable<IWebhookResponseData['workflowData']>> = [];

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
    private readonly workflow: Workflow,
    private readonly node: INode,
    private readonly additionalData: IWorkflowExecuteAdditionalData,
    private readonly server: Server,
    private readonly mode: 'webhook' | 'manual',
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
    const helper = await StoredCredentials.of({ secret: { type: credentialType, data } });
    const workflow = new Workflow({
      id: 'events',
      nodes: [
        {
          id: 'trigger',
          name: 'Trigger',
          type: 'n8n-nodes-social-publishing.socialPublishingTrigger',
          typeVersion: 1.1,
          position: [0, 0],
          webhookId: 'f00d',
          parameters,
          ...(webhookSecret !== undefined && {
            credentials: { [credentialType]: { id: 'secret', name: 'Secret' } },
          }),
        },
      ],
      connections: {},
      active: true,
      nodeTypes: new KnownNodeTypes(),
    });
    const node = workflow.getNode('Trigger');
    if (!node) throw new Error('n8n left the node out of the workflow');
    const server = createServer();
    const receiver = new Receiver(workflow, node, additionalDataWith(helper), server, mode);
    const getDecrypted = helper.getDecrypted.bind(helper);
    helper.getDecrypted = async (...args) => {
      receiver.secretReads += 1;
      await receiver.secretAvailable;
      return await getDecrypted(...args);
    };
    server.on('request', (request, plain) => {
      receiver.arrivals += 1;
      const response = expressLike(plain);
      receiver.receive(readsRawBody(request), response).catch((error: unknown) => {
        receiver.thrown.push(error as NodeOperationError);
        response.status(500).json({ message: 'Workflow could not be started!' });
      });
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

  get outputs(): INodeOutputConfiguration[] {
    return NodeHelpers.getNodeOutputs(
      this.workflow,
      this.node,
      this.nodeType.description,
    ) as INodeOutputConfiguration[];
  }

  /** What n8n takes from the description before it hands over a delivery. */
  evaluate(field: 'responseMode' | 'responseData'): unknown {
    return this.workflow.expression.getSimpleParameterValue(
      this.node,
      this.webhookData.webhookDescription[field],
      'webhook',
      {},
      undefined,
      'the default',
    );
  }

  /** Does to the trigger what n8n does when its workflow is published. */
  async activate(): Promise<boolean> {
    const context = new HookContext(
      this.workflow,
      this.node,
      this.additionalData,
      'trigger',
      'activate',
      this.webhookData,
    );
    const methods = this.nodeType.webhookMethods?.default;
    if (await methods?.checkExists.call(context as IHookFunctions)) return true;
    return (await methods?.create.call(context as IHookFunctions)) ?? false;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private get nodeType() {
    return this.workflow.nodeTypes.getByNameAndVersion(this.node.type);
  }

  private get webhookData(): IWebhookData {
    const webhookDescription = this.nodeType.description.webhooks?.[0];
    if (!webhookDescription) throw new Error('The trigger has no webhook');
    return {
      httpMethod: 'POST',
      node: this.node.name,
      path: 'f00d/webhook',
      webhookDescription,
      workflowId: this.workflow.id,
      workflowExecuteAdditionalData: this.additionalData,
    };
  }

  private async receive(httpRequest: IncomingMessage, httpResponse: Response): Promise<void> {
    const additionalData = { ...this.additionalData, httpRequest, httpResponse };
    const context = new WebhookContext(
      this.workflow,
      this.node,
      additionalData,
      this.mode,
      this.webhookData,
      [],
      null,
    );
    const result = await this.nodeType.webhook?.call(context as IWebhookFunctions);
    if (result?.workflowData) this.started.push(result.workflowData);
    if (result?.noWebhookResponse) return;
    if (!result?.workflowData) {
      httpResponse.status(200).json(result?.webhookResponse);
      return;
    }
    try {
      await this.run();
      const isEmpty = this.evaluate('responseData') === 'noData';
      httpResponse.status(200).json(isEmpty ? undefined : result.webhookResponse);
    } catch {
      httpResponse.status(500).json({ message: 'Error in workflow' });
    }
  }
}
