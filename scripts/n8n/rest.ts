import { parse as parseFlatted } from 'flatted';
import {
  NodeHelpers,
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
} from 'n8n-workflow';
import { z } from 'zod';
import { until } from './until';

const EXECUTION_SECONDS = 120;

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

/** The account that owns a local n8n. */
export interface Owner {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
}

/** A workflow as n8n exports it, with an id of its own so that importing it twice gives one workflow. */
export interface WorkflowFile {
  id: string;
  name: string;
  nodes: INode[];
  connections: IConnections;
  settings?: IWorkflowSettings;
  pinData?: IPinData;
}

/** A credential as it is entered in the editor. */
export interface CredentialInput {
  name: string;
  type: string;
  data: Record<string, unknown>;
}

/** One run of a workflow with everything n8n recorded about it. */
export interface Execution {
  id: string;
  status: ExecutionStatus;
  startedAt: Date;
  data: IRunExecutionData;
  /** The record as n8n sent it, for looking for what must not be in it. */
  raw: string;
}

/** What the pickers of the editor ask for: a node's list search. */
export interface ListSearch {
  nodeType: string;
  /** The parameter's path, for example `parameters.socialAccountId`. */
  path: string;
  methodName: string;
  parameters: INodeParameters;
  credentials: NonNullable<INode['credentials']>;
  filter?: string;
}

/** An answer of n8n's own interface that isn't a success. */
export class N8nApiError extends Error {
  override readonly name = 'N8nApiError';

  constructor(
    readonly status: number,
    what: string,
    readonly body: string,
  ) {
    super(`n8n answered ${what} with ${status}: ${body.slice(0, 500)}`);
  }
}

/** The interface that n8n's editor itself uses, as far as scripts and tests need it. */
export class N8nApi {
  private cookie = '';

  constructor(readonly origin: string) {}

  private async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.origin}/rest${path}`, {
      method,
      // A kept connection may be closed by n8n in the very moment it is used again.
      headers: { cookie: this.cookie, 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new N8nApiError(response.status, `${method} ${path}`, text);
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    return z.object({ data: z.unknown() }).parse(JSON.parse(text)).data;
  }

  /** Logs in as the owner; makes the owner first when n8n has none yet. */
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

  /** Creates the credential, or updates the one of the same name and type. Returns its id. */
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

  /** Presses "Test" on a saved credential. */
  async testCredential(id: string, { name, type, data }: CredentialInput) {
    return z
      .object({ status: z.enum(['OK', 'Error']), message: z.string() })
      .parse(
        await this.request('POST', '/credentials/test', { credentials: { id, name, type, data } }),
      );
  }

  /**
   * Imports a workflow, or replaces the one with the same id.
   *
   * @param credentialIds the id of the credential to use, by credential type
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
    const { exists } = z
      .object({ exists: z.boolean() })
      .parse(await this.request('GET', `/workflows/${workflow.id}/exists`));
    const { id, ...rest } = { ...workflow, nodes };
    await (exists
      ? this.request('PATCH', `/workflows/${id}`, rest)
      : this.request('POST', '/workflows', { id, ...rest }));
  }

  /** The nodes of a workflow as they are saved. */
  async nodesOf(id: string): Promise<INode[]> {
    const { nodes } = z
      .object({ nodes: z.array(z.unknown()) })
      .parse(await this.request('GET', `/workflows/${id}`));
    return nodes as INode[];
  }

  /** Publishes the workflow's current version: its triggers listen from now on. */
  async publishWorkflow(id: string): Promise<void> {
    const { versionId } = z
      .object({ versionId: z.string() })
      .parse(await this.request('GET', `/workflows/${id}`));
    await this.request('POST', `/workflows/${id}/activate`, { versionId });
  }

  /**
   * Waits until the production URL of a published workflow listens for POST requests: n8n sees to that
   * some time after it was published.
   */
  async listening(url: string): Promise<void> {
    await until(`${url} did not listen`, async () => {
      // A URL that listens is told apart by what n8n says of another method, which starts nothing.
      const response = await fetch(url, { headers: { connection: 'close' } });
      const text = await response.text();
      return text.includes('not registered for GET requests') || undefined;
    });
  }

  /** Unpublishes the workflow: its triggers no longer listen. */
  async unpublishWorkflow(id: string): Promise<void> {
    await this.request('POST', `/workflows/${id}/deactivate`, {});
  }

  /**
   * Presses "Execute workflow" from the given trigger and waits for the end.
   *
   * @param tool when given, only this tool of an AI agent is run, with what the agent would ask of it
   * @throws N8nApiError when n8n doesn't start it
   */
  async runWorkflow(
    id: string,
    trigger: string,
    tool?: { name: string; query: IDataObject },
  ): Promise<Execution> {
    const toolName = tool?.name.replaceAll(' ', '_') ?? '';
    const started = z.object({ executionId: z.string() }).parse(
      await this.request('POST', `/workflows/${id}/run`, {
        triggerToStartFrom: { name: trigger },
        ...(tool && {
          destinationNode: { nodeName: tool.name, mode: 'inclusive' },
          agentRequest: { query: { [toolName]: tool.query }, tool: { name: toolName } },
        }),
      }),
    );
    return await this.finishedExecution(started.executionId);
  }

  /** Presses "Execute workflow" on a workflow with a webhook trigger: its test URL listens once. */
  async listenForTestEvent(id: string, trigger: string): Promise<void> {
    z.object({ waitingForWebhook: z.literal(true) }).parse(
      await this.request('POST', `/workflows/${id}/run`, { triggerToStartFrom: { name: trigger } }),
    );
  }

  /** Presses "Retry" on an execution that has failed, and waits for the end. */
  async retryExecution(id: string): Promise<Execution> {
    const retried = idSchema.parse(
      await this.request('POST', `/executions/${id}/retry`, { loadWorkflow: false }),
    );
    return await this.finishedExecution(retried.id);
  }

  /** Waits for an execution to end and returns it. */
  async finishedExecution(id: string): Promise<Execution> {
    return await until(
      `Execution ${id} did not end`,
      async () => {
        const execution = await this.execution(id);
        const isUnderWay = ['new', 'running', 'waiting'].includes(execution.status);
        return isUnderWay ? undefined : execution;
      },
      EXECUTION_SECONDS,
    );
  }

  /** Reads an execution with all its data. */
  async execution(id: string): Promise<Execution> {
    const record = z
      .object({
        id: z.string(),
        status: z.string(),
        startedAt: z.string().datetime(),
        data: z.string(),
      })
      .passthrough()
      .parse(await this.request('GET', `/executions/${id}`));
    return {
      id: record.id,
      status: record.status as ExecutionStatus,
      startedAt: new Date(record.startedAt),
      data: parseFlatted(record.data) as IRunExecutionData,
      raw: JSON.stringify(record),
    };
  }

  /**
   * Ids and statuses of a workflow's executions, the latest first; at most `limit`, and how many there
   * are in all.
   *
   * @param statuses the statuses to look for: all unless given. Naming all of them makes n8n look
   * them up at once. Without, it looks up those that run and those that have ended apart, and one
   * that ends meanwhile is listed twice or not at all.
   */
  async executions(workflowId: string, limit = 20, statuses = EXECUTION_STATUSES) {
    const filter = encodeURIComponent(JSON.stringify({ workflowId, status: statuses }));
    const page = z
      .object({
        count: z.number(),
        results: z.array(z.object({ id: z.string(), status: z.string(), mode: z.string() })),
      })
      .parse(await this.request('GET', `/executions?filter=${filter}&limit=${limit}`));
    return page;
  }

  /** Waits until no execution of a workflow is under way any more. */
  async executionsEnded(workflowId: string): Promise<void> {
    await until(
      'Not all executions ended',
      async () => {
        const { count } = await this.executions(workflowId, 1, ['new', 'running']);
        return count === 0 || undefined;
      },
      EXECUTION_SECONDS,
    );
  }

  /** Asks a node for the entries of one of its pickers. */
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

  /** The descriptions of all node types as the editor gets them, the tools for AI agents included. */
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
 * Where a workflow's webhook trigger listens.
 *
 * @param mode production: while the workflow is published; test: once, after "Execute workflow"
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

/** What a node put out on one of its outputs, all runs together. */
export function outputOf(
  execution: Pick<Execution, 'data'>,
  node: string,
  output = 0,
  type: NodeConnectionType = 'main',
): INodeExecutionData[] {
  const runs = execution.data.resultData.runData[node] ?? [];
  return runs.flatMap((run) => run.data?.[type]?.[output] ?? []);
}
