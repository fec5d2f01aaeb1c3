import './instance';

import type { IncomingMessage, RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

import { HookContext, WebhookContext } from 'n8n-core';
import type {
  IHookFunctions,
  INode,
  INodeOutputConfiguration,
  IWebhookData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { additionalDataWith } from './additional-data';
import type { EngineWorkflow, Installed } from './run';

/** The items of each output that a delivery starts a workflow with. */
export type StartItems = NonNullable<IWebhookResponseData['workflowData']>;

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

/**
 * The trigger node of a published workflow in n8n-core's own contexts. What n8n does before and after
 * it, among it storing executions, is tried in the real n8n.
 */
export class PublishedTrigger {
  private readonly workflow: Workflow;
  private readonly node: INode;

  /** @param mode `manual` while the editor listens for a test event */
  constructor(
    file: EngineWorkflow,
    nodeName: string,
    private readonly installed: Installed,
    private readonly mode: 'webhook' | 'manual' = 'webhook',
  ) {
    this.workflow = new Workflow({
      id: 'events',
      ...file,
      active: true,
      nodeTypes: installed.nodeTypes,
    });
    const node = this.workflow.getNode(nodeName);
    if (!node) throw new Error('n8n left the node out of the workflow');
    this.node = node;
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
      additionalDataWith(this.installed.credentials),
      'trigger',
      'activate',
      this.webhookData,
    );
    const methods = this.nodeType.webhookMethods?.default;
    if (await methods?.checkExists.call(context as IHookFunctions)) return true;
    return (await methods?.create.call(context as IHookFunctions)) ?? false;
  }

  /**
   * Answers a delivery as n8n does.
   *
   * @param start runs the workflow
   * @throws what the trigger throws; n8n has then responded with 500
   */
  async receive(
    request: IncomingMessage,
    plain: Parameters<RequestListener>[1],
    start: (items: StartItems) => Promise<void>,
  ): Promise<void> {
    const response = expressLike(plain);
    try {
      await this.answer(readsRawBody(request), response, start);
    } catch (error) {
      response.status(500).json({ message: 'Workflow could not be started!' });
      throw error;
    }
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
      path: `${this.node.webhookId}/webhook`,
      webhookDescription,
      workflowId: this.workflow.id,
      workflowExecuteAdditionalData: additionalDataWith(this.installed.credentials),
    };
  }

  private async answer(
    httpRequest: IncomingMessage,
    httpResponse: Response,
    start: (items: StartItems) => Promise<void>,
  ): Promise<void> {
    const context = new WebhookContext(
      this.workflow,
      this.node,
      additionalDataWith(this.installed.credentials, { httpRequest, httpResponse }),
      this.mode,
      this.webhookData,
      [],
      null,
    );
    const result = await this.nodeType.webhook?.call(context as IWebhookFunctions);
    const isStarted = result?.workflowData ? start(result.workflowData) : undefined;
    if (result?.noWebhookResponse) return;
    if (!isStarted) {
      httpResponse.status(200).json(result?.webhookResponse);
      return;
    }
    try {
      await isStarted;
      const isEmpty = this.evaluate('responseData') === 'noData';
      httpResponse.status(200).json(isEmpty ? undefined : result?.webhookResponse);
    } catch {
      httpResponse.status(500).json({ message: 'Error in workflow' });
    }
  }
}
