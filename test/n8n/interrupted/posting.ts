import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type Post, type Sandbox, startSandbox } from '../../../sandbox';
import { chain, type Step } from '../../../scripts/n8n/chain';
import type { N8nInstance } from '../../../scripts/n8n/instance';
import { type Execution, outputOf, type WorkflowFile } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { addAccount } from '../../support/records';
import { saveService } from '../../support/service-credential';
import { actionNode } from '../support/bench';

export const CREATE = 'Create posts';
const HOOK = 'Webhook';
const LOOP = 'Loop Over Items';

/** How long the service takes for each post, in milliseconds, so that a run can be met in its middle. */
export const LATENCY_MS = 120;

/** How long it takes for a post that it hangs on, in milliseconds: longer than n8n needs to die. */
const HANGING_MS = 20_000;

/** A minute of its own for each post, far ahead. */
export const timeOf = (post: number): string =>
  new Date(Date.UTC(2035, 0, 1) + post * 60_000).toISOString();

/** Where the webhook of a workflow listens: at its id. */
const urlOf = (origin: string, file: WorkflowFile): string => `${origin}/webhook/${file.id}`;

export const textOf = (post: number): string => `Post ${post} of the interrupted run`;

/** How the posts of a workflow are told to the node. */
export interface Posting {
  /** A fixed minute for each post, or a moment counted from the present on each try. */
  readonly times: 'fixed' | 'fromNow';
  readonly variants: 'fields' | 'json';
  readonly uncertain?: 'hold' | 'look' | 'send';
  readonly options?: INodeParameters;
  /** Settings of the node, such as onError. */
  readonly settings?: Partial<INode>;
  /** Settings of the workflow. */
  readonly workflowSettings?: WorkflowFile['settings'];
  /** How many posts a round of Loop Over Items creates; without, there is no loop. */
  readonly loopOf?: number;
}

function parametersOf({ times, variants, uncertain, options = {} }: Posting): INodeParameters {
  return {
    resource: 'post',
    operation: 'create',
    publish: 'at',
    scheduledAt:
      times === 'fixed'
        ? '={{ $json.time }}'
        : '={{ $now.plus({ years: 1, milliseconds: Math.floor(1e9 * Math.random()) }) }}',
    ...(variants === 'fields' && { content: '={{ $json.text }}', accounts: ['1'] }),
    options: {
      ...options,
      ...(uncertain && { uncertain }),
      ...(variants === 'json' && {
        variantsJson: '={{ [{ socialAccountId: 1, content: $json.text }] }}',
      }),
    },
  };
}

function workflowOf(posting: Posting): WorkflowFile {
  const { settings = {}, workflowSettings = {}, loopOf } = posting;
  const create: Step = {
    name: CREATE,
    type: actionNode,
    typeVersion: 1,
    parameters: parametersOf(posting),
    credential: 'socialPublishingApi',
    ...settings,
  };
  const start: Step[] = [
    {
      name: HOOK,
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      parameters: { httpMethod: 'POST', path: '', responseMode: 'onReceived' },
    },
    {
      name: 'Split Out',
      type: 'n8n-nodes-base.splitOut',
      typeVersion: 1,
      parameters: { fieldToSplitOut: 'body.posts' },
    },
  ];
  const file =
    loopOf === undefined
      ? chain([...start, create])
      : chain([
          ...start,
          {
            name: LOOP,
            type: 'n8n-nodes-base.splitInBatches',
            typeVersion: 3,
            parameters: { batchSize: loopOf },
          },
          create,
        ]);
  if (loopOf !== undefined) {
    file.connections[LOOP] = { main: [[], [{ node: CREATE, type: 'main', index: 0 }]] };
    file.connections[CREATE] = { main: [[{ node: LOOP, type: 'main', index: 0 }]] };
  }
  Object.assign(file.nodes[0]?.parameters ?? {}, { path: file.id });
  return { ...file, settings: { ...file.settings, ...workflowSettings } };
}

/** What one execution said of the posts. */
export interface Told {
  readonly status: string;
  /** Whether it has a run of the node. */
  readonly ran: boolean;
  /** The records that the node put out. */
  readonly records: IDataObject[];
  /** What the node put out for posts that failed. */
  readonly failures: IDataObject[];
  readonly hints: string[];
  readonly error: { message: string; description: string } | undefined;
}

export function toldBy({ status, data }: Execution): Told {
  const items: INodeExecutionData[] = outputOf({ data }, CREATE);
  const { error } = data.resultData;
  return {
    status,
    ran: CREATE in data.resultData.runData,
    // After a crash, n8n puts items of its own where a node had not come to its end.
    records: items
      .map(({ json }) => json)
      .filter((json) => 'id' in json || json['alreadyCreated'] === true),
    failures: items.map(({ json }) => json).filter((json) => typeof json['error'] === 'string'),
    hints: (data.resultData.runData[CREATE] ?? []).flatMap(({ hints = [] }) =>
      hints.map(({ message }) => message),
    ),
    error: error && { message: error.message, description: error.description ?? '' },
  };
}

/** An execution that creates the posts with these numbers. */
export interface StartedRun {
  readonly workflow: PostingWorkflow;
  readonly id: string;
  readonly posts: readonly number[];
}

/** A published workflow that creates posts in a sandbox of its own, and what came of them. */
export class PostingWorkflow {
  private constructor(
    readonly sandbox: Sandbox,
    readonly file: WorkflowFile,
    readonly posting: Posting,
  ) {}

  /** @param latency how long the service takes for each post, in milliseconds */
  static async publish(
    { api, origin }: N8nInstance,
    posting: Posting,
    latency = LATENCY_MS,
  ): Promise<PostingWorkflow> {
    const sandbox = await startSandbox({ seed: false });
    addAccount(sandbox);
    sandbox.faults.add({ kind: 'latency', ms: latency, method: 'POST' });
    const credentialId = await saveService(api, sandbox);
    const file = workflowOf(posting);
    await api.saveWorkflow(file, { socialPublishingApi: credentialId });
    await api.publishWorkflow(file.id);
    await api.listening(urlOf(origin, file));
    return new PostingWorkflow(sandbox, file, posting);
  }

  /** Starts an execution for posts with these numbers. Returns when it has begun. */
  async start({ api, origin }: N8nInstance, posts: readonly number[]): Promise<StartedRun> {
    const before = await api.executions(this.file.id, 100);
    const response = await fetch(urlOf(origin, this.file), {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({
        posts: posts.map((post) => ({ text: textOf(post), time: timeOf(post) })),
      }),
    });
    if (!response.ok) throw new Error(`The webhook answered with ${response.status}`);
    const id = await waitFor('No execution began', async () => {
      const { results } = await api.executions(this.file.id, 100);
      return results.find((one) => !before.results.some((old) => old.id === one.id))?.id;
    });
    return { workflow: this, id, posts };
  }

  /** Lets the service hang on every post after the first ones, so that no run comes to its end. */
  hangAfter(count: number): void {
    this.sandbox.faults.add({ kind: 'latency', ms: HANGING_MS, method: 'POST', after: count });
  }

  /** Ends the latencies for what comes from now on; what the service hangs on it carries out later. */
  goOn(): void {
    this.sandbox.faults.clear();
  }

  get posts(): readonly Post[] {
    return this.sandbox.store.posts;
  }

  /** The posts that the service has for each text. */
  byText(): Map<string, Post[]> {
    const found = new Map<string, Post[]>();
    for (const post of this.posts) {
      const text = post.variants[0]?.content ?? '';
      found.set(text, [...(found.get(text) ?? []), post]);
    }
    return found;
  }

  /** How many posts the service has more than once. */
  doubled(): number {
    return [...this.byText().values()].filter(({ length }) => length > 1).length;
  }

  /** How many of these posts the service has not. */
  missing(posts: readonly number[]): number {
    const found = this.byText();
    return posts.filter((post) => !found.has(textOf(post))).length;
  }

  async close(): Promise<void> {
    await this.sandbox.close();
  }
}
