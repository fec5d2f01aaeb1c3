import { parse as parseFlatted } from 'flatted';
import {
  type ExecutionStatus,
  type IConnections,
  type IDataObject,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type IPinData,
  type IRunExecutionData,
  type IWorkflowSettings,
  type NodeConnectionType,
  NodeHelpers,
} from 'n8n-workflow';
import { z } from 'zod';

import { waitFor } from './wait-for';

const EXECUTION_SECONDS = 120;

/** The error of n8n 1.100 and 2.20 for an execution whose data is not stored yet. */
const LACKS_DATA = /Cannot read properties of (null|undefined) \(reading '(data|resultData)'\)/;

const EXECUTION_STATUSES: ExecutionStatus[] = [
  'canceled',
  'crashed',
  'error',
  'new',
  'running',
  'success',
  'unknown',
  'waiting',
];

const idSchema = z.object({ id: z.string() });

/** The owner account of a local n8n. */
export interface Owner {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
}

/** A workflow as n8n exports it. It carries its own ID, so that a second import replaces the first. */
export interface WorkflowFile {
  id: string;
  name: string;
  nodes: INode[];
  connections: IConnections;
  settings?: IWorkflowSettings;
  pinData?: IPinData;
}

/** A credential as a user enters it in the editor. */
export interface CredentialInput {
  name: string;
  type: string;
  data: Record<string, unknown>;
}

/** One execution of a workflow, with everything that n8n recorded about it. */
export interface Execution {
  id: string;
  status: ExecutionStatus;
  /** Whether all nodes have run to their end. n8n retries only an execution of which this is false. */
  finished: boolean;
  /** Of an execution in the queue: when it was queued. */
  startedAt: Date;
  data: IRunExecutionData;
  /** The execution as n8n sent it, to search it for secrets. */
  raw: string;
}

/** A request for the entries of a picker in the editor. */
export interface ListSearch {
  nodeType: string;
  /** The parameter's path, for example `parameters.socialAccountId`. */
  path: string;
  methodName: string;
  parameters: INodeParameters;
  credentials: NonNullable<INode['credentials']>;
  filter?: string;
}

/** A response of n8n's REST API with an error status. */
export class N8nApiError extends Error {
  override readonly name = 'N8nApiError';

  constructor(
    readonly status: number,
    request: string,
    readonly body: string,
  ) {
    super(`n8n responded to ${request} with ${status}: ${body.slice(0, 500)}`);
  }
}

/**
 * A client for the REST API that n8n's editor uses, as far as scripts and tests need it. It works with
 * n8n 1.100 and later: where versions differ, it tries what this n8n offers.
 */
export class N8nApi {
  private cookie = '';
  /** The IDs of workflows to which n8n before 2.20 gave another ID than that of the file. */
  private readonly assignedIds = new Map<string, string>();

  constructor(readonly origin: string) {}

  private async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.origin}/rest${path}`, {
      method,
      // n8n may close an idle connection just when it is used again.
      headers: { cookie: this.cookie, 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new N8nApiError(response.status, `${method} ${path}`, text);
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    return z.object({ data: z.unknown() }).parse(JSON.parse(text)).data;
  }

  /** Logs in as the owner. Creates the owner first if n8n has none yet. */
  async logIn(owner: Owner): Promise<void> {
    const settings = z
      .object({ userManagement: z.object({ showSetupOnFirstLoad: z.boolean() }) })
      .parse(await this.request('GET', '/settings'));
    if (settings.userManagement.showSetupOnFirstLoad) {
      await this.request('POST', '/owner/setup', owner);
      return;
    }
    await this.request('POST', '/login', {
      emailOrLdapLoginId: owner.email,
      password: owner.password,
    });
  }

  /** Creates the credential, or updates the one with the same name and type. Returns its ID. */
  async saveCredential({ name, type, data }: CredentialInput): Promise<string> {
    const existing = z
      .array(z.object({ id: z.string(), name: z.string(), type: z.string() }))
      .parse(await this.request('GET', '/credentials'))
      .find((credential) => credential.name === name && credential.type === type);
    const saved = existing
      ? await this.request('PATCH', `/credentials/${existing.id}`, { name, type, data })
      : await this.request('POST', '/credentials', { name, type, data });
    return idSchema.parse(saved).id;
  }

  async deleteCredential(id: string): Promise<void> {
    await this.request('DELETE', `/credentials/${id}`);
  }

  /** Clicks "Test" on a saved credential. */
  async testCredential(id: string, { name, type, data }: CredentialInput) {
    return z
      .object({ status: z.enum(['OK', 'Error']), message: z.string() })
      .parse(
        await this.request('POST', '/credentials/test', { credentials: { id, name, type, data } }),
      );
  }

  /**
   * Imports a workflow, or replaces the one with the same ID.
   *
   * @param credentialIds the ID of the credential to use for each credential type
   */
  async saveWorkflow(workflow: WorkflowFile, credentialIds: Record<string, string>): Promise<void> {
    const nodes = workflow.nodes.map((node) => ({
      ...node,
      ...(node.credentials && {
        credentials: Object.fromEntries(
          Object.entries(node.credentials).map(([type, credential]) => [
            type,
            { ...credential, id: credentialIds[type] ?? credential.id },
          ]),
        ),
      }),
    }));
    // The editor always sends settings, and n8n 1.100 runs no workflow without them.
    const { id, ...rest } = { settings: {}, ...workflow, nodes };
    if (await this.orMissing(this.workflow(id))) {
      await this.request('PATCH', this.pathOf(id), rest);
      return;
    }
    const saved = idSchema.parse(
      await this.request('POST', '/workflows', { id, active: false, ...rest }),
    );
    if (saved.id !== id) this.assignedIds.set(id, saved.id);
  }

  private idOf(id: string): string {
    return this.assignedIds.get(id) ?? id;
  }

  private pathOf(id: string): string {
    return `/workflows/${this.idOf(id)}`;
  }

  /** Reads a saved workflow. The editor writes the same into the file when it exports a workflow. */
  async workflow(id: string) {
    return z
      .object({ id: z.string(), versionId: z.string(), nodes: z.array(z.unknown()) })
      .passthrough()
      .parse(await this.request('GET', this.pathOf(id)));
  }

  /** Resolves to undefined when n8n has no such thing or no such path. */
  private async orMissing<Value>(response: Promise<Value>): Promise<Value | undefined> {
    try {
      return await response;
    } catch (error) {
      if (error instanceof N8nApiError && [403, 404].includes(error.status)) return undefined;
      throw error;
    }
  }

  /** Reads the nodes of a saved workflow. */
  async nodesOf(id: string): Promise<INode[]> {
    const { nodes } = await this.workflow(id);
    return nodes as INode[];
  }

  /** Publishes the current version of the workflow. Returns when its triggers listen. */
  async publishWorkflow(id: string): Promise<void> {
    const { versionId } = await this.workflow(id);
    const path = this.pathOf(id);
    const published = await this.orMissing(this.request('POST', `${path}/activate`, { versionId }));
    if (!published) await this.request('PATCH', path, { versionId, active: true });
    await this.carriedOut(path);
  }

  /**
   * Waits until n8n has published or unpublished a workflow. Since n8n 2.41 it responds before
   * that. Until then, the URLs of the previous version still listen, or none do.
   */
  private async carriedOut(path: string): Promise<void> {
    await waitFor('n8n did not publish or unpublish the workflow', async () => {
      const response = await this.orMissing(this.request('GET', `${path}/publication-status`));
      const { status } = z.object({ status: z.string() }).parse(response ?? { status: 'none' });
      return status === 'in_progress' ? undefined : status;
    });
  }

  /**
   * Waits until the production URL of a published workflow accepts POST requests, which the processes
   * of queue mode may do some time after the workflow was published.
   */
  async listening(url: string): Promise<void> {
    await waitFor(`${url} did not accept requests`, async () => {
      // GET starts nothing, and n8n's response to it shows whether the URL listens for POST.
      const response = await fetch(url, { headers: { connection: 'close' } });
      const text = await response.text();
      return text.includes('not registered for GET requests') || undefined;
    });
  }

  /** Unpublishes the workflow. Returns when its triggers no longer listen. */
  async unpublishWorkflow(id: string): Promise<void> {
    const path = this.pathOf(id);
    const unpublished = await this.orMissing(this.request('POST', `${path}/deactivate`, {}));
    if (!unpublished) await this.request('PATCH', path, { active: false });
    await this.carriedOut(path);
  }

  /**
   * Clicks "Execute workflow" for the given trigger and waits for the end of the execution.
   *
   * @param tool runs only this tool of an AI agent, with the query that the agent would send to it
   * @throws N8nApiError when n8n refuses to start the execution
   */
  async runWorkflow(
    id: string,
    trigger: string,
    tool?: { name: string; query: IDataObject },
  ): Promise<Execution> {
    const toolName = tool?.name.replaceAll(' ', '_') ?? '';
    const started = z.object({ executionId: z.string() }).parse(
      await this.run(id, {
        triggerToStartFrom: { name: trigger },
        ...(tool && {
          destinationNode: { nodeName: tool.name, mode: 'inclusive' },
          agentRequest: { query: { [toolName]: tool.query }, tool: { name: toolName } },
        }),
      }),
    );
    return await this.finishedExecution(started.executionId);
  }

  /** Clicks "Execute workflow" on a workflow with a webhook trigger: its test URL listens once. */
  async listenForTestEvent(id: string, trigger: string): Promise<void> {
    z.object({ waitingForWebhook: z.literal(true) }).parse(
      await this.run(id, { triggerToStartFrom: { name: trigger } }),
    );
  }

  /** Clicks "Stop Listening", if the test URL still listens. */
  async stopListening(id: string): Promise<void> {
    await this.request('DELETE', `/test-webhook/${id}`);
  }

  /** n8n before 2.20 runs the workflow that it gets, later versions run the saved one. */
  private async run(id: string, body: object): Promise<unknown> {
    const workflowData = await this.workflow(id);
    const path = `${this.pathOf(id)}/run?partialExecutionVersion=2`;
    return await this.request('POST', path, { workflowData, ...body });
  }

  /**
   * Clicks "Retry" on a failed execution and waits for the end of the new execution.
   *
   * @param savedWorkflow whether with the workflow as it is saved now
   */
  async retryExecution(id: string, { savedWorkflow = false } = {}): Promise<Execution> {
    const retried = z
      .union([idSchema, z.string()])
      .parse(
        await this.request('POST', `/executions/${id}/retry`, { loadWorkflow: savedWorkflow }),
      );
    if (typeof retried !== 'string') return await this.finishedExecution(retried.id);
    // n8n 1.100 responds at the end of the new execution, with its status alone.
    const { workflowId } = z
      .object({ workflowId: z.string() })
      .parse(await this.request('GET', `/executions/${id}`));
    const [latest] = (await this.executions(workflowId, 1)).results;
    return await this.finishedExecution(latest?.id ?? id);
  }

  /** Clicks "Stop" on a running execution and waits for its end. */
  async stopExecution(id: string): Promise<Execution> {
    await this.request('POST', `/executions/${id}/stop`, {});
    return await this.finishedExecution(id);
  }

  /** Waits for the end of an execution and returns the execution. */
  async finishedExecution(id: string): Promise<Execution> {
    return await waitFor(
      `Execution ${id} did not end`,
      async () => {
        const execution = await this.execution(id).catch((error: unknown) => {
          if (error instanceof N8nApiError && LACKS_DATA.test(error.body)) return undefined;
          throw error;
        });
        return execution && isFinished(execution) ? execution : undefined;
      },
      EXECUTION_SECONDS,
    );
  }

  /** Reads an execution with all of its data. */
  async execution(id: string): Promise<Execution> {
    const record = z
      .object({
        id: z.string(),
        status: z.string(),
        finished: z.boolean(),
        createdAt: z.string().datetime(),
        startedAt: z.string().datetime().nullable(),
        data: z.string(),
      })
      .passthrough()
      .parse(await this.request('GET', `/executions/${id}`));
    return {
      id: record.id,
      status: record.status as ExecutionStatus,
      finished: record.finished,
      startedAt: new Date(record.startedAt ?? record.createdAt),
      data: parseFlatted(record.data) as IRunExecutionData,
      raw: JSON.stringify(record),
    };
  }

  /**
   * Lists the IDs, statuses and modes of a workflow's executions, the latest first, at most `limit`,
   * together with the total count.
   *
   * @param statuses the statuses to list, by default all. n8n uses one query when they are named.
   * Otherwise it uses one for unfinished and one for finished executions, and an execution that ends
   * in between is listed twice or not at all.
   */
  async executions(workflowId: string, limit = 20, statuses = EXECUTION_STATUSES) {
    const filter = encodeURIComponent(
      JSON.stringify({ workflowId: this.idOf(workflowId), status: statuses }),
    );
    const page = z
      .object({
        count: z.number(),
        results: z.array(z.object({ id: z.string(), status: z.string(), mode: z.string() })),
      })
      .parse(await this.request('GET', `/executions?filter=${filter}&limit=${limit}`));
    return page;
  }

  /**
   * Waits until all executions of a workflow have ended.
   *
   * @param seconds how long to wait at most
   */
  async executionsEnded(workflowId: string, seconds = EXECUTION_SECONDS): Promise<void> {
    await waitFor(
      'Not all executions ended',
      async () => {
        const { count } = await this.executions(workflowId, 1, ['new', 'running']);
        return count === 0 || undefined;
      },
      seconds,
    );
  }

  /** Deletes executions with their files. */
  async deleteExecutions(ids: string[]): Promise<void> {
    await this.request('POST', '/executions/delete', { ids });
  }

  /** Reads the entries of one of a node's pickers. */
  async searchList(search: ListSearch) {
    return z
      .object({
        results: z.array(
          z.object({ name: z.string(), value: z.union([z.string(), z.number()]) }).passthrough(),
        ),
        paginationToken: z.unknown().optional(),
      })
      .parse(
        await this.request('POST', '/dynamic-node-parameters/resource-locator-results', {
          path: search.path,
          methodName: search.methodName,
          nodeTypeAndVersion: { name: search.nodeType, version: 1 },
          currentNodeParameters: search.parameters,
          credentials: search.credentials,
          ...(search.filter === undefined ? {} : { filter: search.filter }),
        }),
      );
  }

  /** Clicks "Uninstall package" in the settings. */
  async uninstallPackage(name: string): Promise<void> {
    await this.request('DELETE', `/community-packages?name=${encodeURIComponent(name)}`);
  }

  /** Reads the description of one node type as n8n has it loaded. */
  async nodeType(name: string, version: number) {
    const [type] = z
      .array(z.object({ name: z.string(), displayName: z.string() }).passthrough())
      .parse(await this.request('POST', '/node-types', { nodeInfos: [{ name, version }] }));
    return type;
  }

  /** Reads the descriptions of all node types, including the tools for AI agents, as the editor does. */
  async nodeTypes() {
    const response = await fetch(`${this.origin}/types/nodes.json`, {
      headers: { cookie: this.cookie, connection: 'close' },
    });
    return z
      .array(z.object({ name: z.string(), displayName: z.string() }).passthrough())
      .parse(await response.json());
  }
}

/**
 * The URL of a workflow's webhook trigger.
 *
 * @param mode production: listens while the workflow is published; test: listens once after "Execute
 * workflow"
 */
export function webhookUrl(
  origin: string,
  workflow: WorkflowFile,
  trigger: string,
  mode: 'production' | 'test',
): string {
  const node = workflow.nodes.find(({ name }) => name === trigger);
  if (!node) throw new Error(`The workflow "${workflow.name}" has no node "${trigger}".`);
  const base = `${origin}/${mode === 'production' ? 'webhook' : 'webhook-test'}`;
  return NodeHelpers.getNodeWebhookUrl(base, workflow.id, node, 'webhook');
}

/** Whether an execution has ended and its data is stored: n8n 1.x stores the status before the data. */
function isFinished({ status, data }: Execution): boolean {
  if (['new', 'running', 'waiting'].includes(status)) return false;
  if (status !== 'success' && status !== 'error') return true;
  const resultData = (data as IRunExecutionData | undefined)?.resultData;
  return (resultData?.lastNodeExecuted ?? resultData?.error) !== undefined;
}

/** The items of one output of a node, of all its runs. */
export function outputOf(
  execution: Pick<Execution, 'data'>,
  node: string,
  output = 0,
  type: NodeConnectionType = 'main',
): INodeExecutionData[] {
  const runs = execution.data.resultData.runData[node] ?? [];
  return runs.flatMap((run) => run.data?.[type]?.[output] ?? []);
}
