import { randomUUID } from 'node:crypto';

import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { demoOwner } from '../../../scripts/n8n/instance';
import { type Execution, N8nApi, outputOf, type WorkflowFile } from '../../../scripts/n8n/rest';
import { readShared } from './shared';

export const packageName = 'n8n-nodes-social-publishing';
export const actionNode = `${packageName}.socialPublishing`;
export const triggerNode = `${packageName}.socialPublishingTrigger`;

const TRIGGER = 'Start';
const NODE = 'Social Publishing';

/** Logs in to the n8n that the global setup started. */
export async function connect(): Promise<N8nApi> {
  const api = new N8nApi(readShared().origin);
  await api.logIn(demoOwner);
  return api;
}

export interface RunOptions {
  /** The JSON of the input items. One empty item unless given. */
  items?: IDataObject[];
  /** Settings of the node, such as `onError`. */
  settings?: Partial<INode>;
  credentialId?: string;
}

export interface NodeRun {
  execution: Execution;
  /** The items that the node output. */
  items: INodeExecutionData[];
  json: IDataObject[];
  /** The error that stopped the node; what it tells machines is in its context. */
  error: { message: string; description: string; context: IDataObject } | undefined;
}

/** A test bench: a sandbox, the n8n of the tests, and a credential that connects them. */
export class Bench {
  private constructor(
    readonly api: N8nApi,
    readonly sandbox: Sandbox,
    readonly credentialId: string,
    /** An API key on the Agency plan that only this sandbox knows. */
    readonly apiKey: string,
  ) {}

  /** @param name the name of the credential: two benches at a time need two names */
  static async open(
    options: SandboxOptions = {},
    name = 'Social Publishing account',
  ): Promise<Bench> {
    const api = await connect();
    const sandbox = await startSandbox(options);
    const { key } = sandbox.store.addKey({ name: 'Test', plan: 'agency' });
    const credentialId = await api.saveCredential({
      name,
      type: 'socialPublishingApi',
      data: { baseUrl: sandbox.baseUrl, apiKey: key, workspaceId: String(sandbox.workspaceId) },
    });
    return new Bench(api, sandbox, credentialId, key);
  }

  async close(): Promise<void> {
    await this.sandbox.close();
  }

  /** Runs the action node once in n8n, in a new workflow. */
  async run(parameters: INodeParameters, options: RunOptions = {}): Promise<NodeRun> {
    const { items = [{}], settings = {}, credentialId = this.credentialId } = options;
    const workflow: WorkflowFile = {
      id: randomUUID(),
      name: `Test ${randomUUID()}`,
      nodes: [
        {
          id: randomUUID(),
          name: TRIGGER,
          type: 'n8n-nodes-base.manualTrigger',
          typeVersion: 1,
          position: [0, 0],
          parameters: {},
        },
        {
          id: randomUUID(),
          name: NODE,
          type: actionNode,
          typeVersion: 1,
          position: [200, 0],
          parameters,
          credentials: { socialPublishingApi: { id: credentialId, name: 'Service' } },
          ...settings,
        },
      ],
      connections: { [TRIGGER]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
      pinData: { [TRIGGER]: items.map((json) => ({ json })) },
    };
    await this.api.saveWorkflow(workflow, {});
    const execution = await this.api.runWorkflow(workflow.id, TRIGGER);
    const output = outputOf(execution, NODE);
    const error = execution.data.resultData.error;
    return {
      execution,
      items: output,
      json: output.map(({ json }) => json),
      error: error && {
        message: error.message,
        description: error.description ?? '',
        context: error.context ?? {},
      },
    };
  }

  /** The only request that the sandbox received since its requests were cleared, with a parsed body. */
  onlyRequest() {
    const [request, ...others] = this.sandbox.requests;
    if (!request || others.length > 0) {
      throw new Error(`Expected one request instead of ${this.sandbox.requests.length}.`);
    }
    const { method, path, query, headers } = request;
    const text = request.body.toString('utf8');
    return {
      method,
      path,
      query,
      headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  }
}
