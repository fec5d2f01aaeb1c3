import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../../sandbox';
import { chain, type Step } from '../../../scripts/n8n/chain';
import type { N8nInstance } from '../../../scripts/n8n/instance';
import { type Execution, outputOf, type WorkflowFile } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { addAccount } from '../../support/records';
import { listen, type TestServer } from '../../support/server';
import { saveService } from '../../support/service-credential';
import { actionNode } from '../support/bench';

const HOOK = 'Webhook';
const FEED = 'Feed';
const LOOP = 'Loop Over Items';
const CREATE = 'Create posts';
const SECOND = 'Create more posts';
const LATER = 'Later node';

/** What the service does with a post that it never does: longer than any test. */
const NEVER_MS = 3_600_000;

/** One entry of a feed: the input item of one post. */
export interface Entry {
  readonly text: string;
  readonly at?: string;
  readonly media?: string;
}

/** A workflow that is interrupted, and what its feed gives by the Retry. */
export interface Situation {
  readonly name: string;
  readonly before: readonly Entry[];
  /** By the Retry. */
  readonly after: readonly Entry[];
  /** How many posts the service has in the end. */
  readonly exist: number;
  readonly by: 'kill' | 'stop' | 'failure';
  /** Parameters of the node beside its text and account. */
  readonly publish: INodeParameters;
  readonly options?: INodeParameters;
  readonly onError?: INode['onError'];
  /** How many items a round of Loop Over Items has. */
  readonly loopOf?: number;
  /** What else the workflow has: a second node that creates posts, or one that hangs. */
  readonly then?: 'second' | 'later';
  /** How many posts the service answers; it carries out the others and never answers. */
  readonly answers?: number;
  /** How many posts the service carries out; all unless given. */
  readonly carriesOut?: number;
  /** What is changed in the saved workflow before the Retry. */
  readonly edit?: (node: INode) => void;
  /** Whether the execution is retried twice at the same time. */
  readonly twice?: boolean;
  /** What must have passed before the Retry, in Unix milliseconds. */
  readonly notBefore?: number;
}

/** What one retry said and did. */
export interface Retried {
  readonly name: string;
  readonly status: string;
  readonly returned: number;
  readonly sent: number;
  readonly held: number;
  /** How many items a retry that succeeded says nothing of. */
  readonly silent: number;
  readonly message: string;
  readonly description: string;
}

const createNode = (
  name: string,
  content: string,
  { publish, options, onError }: Situation,
): Step & Partial<INode> => ({
  name,
  type: actionNode,
  typeVersion: 1,
  parameters: {
    resource: 'post',
    operation: 'create',
    content,
    accounts: ['1'],
    ...publish,
    ...(options !== undefined && { options }),
  },
  credential: 'socialPublishingApi',
  ...(onError !== undefined && { onError }),
});

function workflowOf(situation: Situation, feedUrl: string): WorkflowFile {
  const { loopOf, then } = situation;
  const file = chain([
    {
      name: HOOK,
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      parameters: { httpMethod: 'POST', path: '', responseMode: 'onReceived' },
    },
    {
      name: FEED,
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      parameters: { url: feedUrl, options: {} },
    },
    ...(loopOf === undefined
      ? []
      : [
          {
            name: LOOP,
            type: 'n8n-nodes-base.splitInBatches',
            typeVersion: 3,
            parameters: { batchSize: loopOf },
          },
        ]),
    createNode(CREATE, '={{ $json.text }}', situation),
    ...(then === 'second'
      ? [
          createNode(SECOND, `={{ $('${FEED}').item.json.text }} again`, {
            ...situation,
            publish: { publish: 'at', scheduledAt: `={{ $('${FEED}').item.json.at }}` },
          }),
        ]
      : []),
    ...(then === 'later'
      ? [
          {
            name: LATER,
            type: 'n8n-nodes-base.httpRequest',
            typeVersion: 4.2,
            parameters: { url: `${feedUrl}/hangs`, options: {} },
          },
        ]
      : []),
  ]);
  if (loopOf !== undefined) {
    file.connections[LOOP] = { main: [[], [{ node: CREATE, type: 'main', index: 0 }]] };
    file.connections[CREATE] = { main: [[{ node: LOOP, type: 'main', index: 0 }]] };
  }
  Object.assign(file.nodes[0]?.parameters ?? {}, { path: file.id });
  return file;
}

/** How many items words such as `item 0, 2 to 5` name. */
const countItems = (words: string): number =>
  words.split(', ').reduce((count, span) => {
    const [, from, to = from] = /(\d+)(?: to (\d+))?$/.exec(span) ?? [];
    return from === undefined ? count : count + Number(to) - Number(from) + 1;
  }, 0);

/** What one node of an execution put out, said and left open. */
function toldBy({ status, data }: Execution, nodes: readonly string[]) {
  const json = nodes.flatMap((node) =>
    [0, 1].flatMap((output) => outputOf({ data }, node, output).map((item) => item.json)),
  );
  const failures = json.filter((one) => typeof one['error'] === 'string');
  const { message = '', description = '' } = data.resultData.error ?? {};
  const [, held = ''] =
    /May or may not have been created: item ([^.]*)\./.exec(description ?? '') ?? [];
  const isUncertain = ({ details }: IDataObject): boolean =>
    (details as IDataObject | undefined)?.['certainty'] === 'uncertain';
  return {
    status,
    returned: json.filter((one) => 'id' in one || one['alreadyCreated'] === true).length,
    failed: failures.length,
    held: failures.filter(isUncertain).length + countItems(held),
    message,
    description: description ?? '',
  };
}

/** A published workflow whose feed changes, in a sandbox of its own. */
export class Interrupted {
  readonly retries: Retried[] = [];

  /** What happens before the feed is given for the first time. */
  beforeFeed: () => Promise<void> = () => Promise.resolve();

  private executionId = '';

  private isLaterNodeReached = false;

  private isFeedChanged = false;

  private constructor(
    readonly situation: Situation,
    readonly sandbox: Sandbox,
    private readonly feed: TestServer,
    private readonly file: WorkflowFile,
    private readonly credentialId: string,
  ) {}

  static async publish(n8n: N8nInstance, situation: Situation): Promise<Interrupted> {
    const sandbox = await startSandbox({ seed: false });
    addAccount(sandbox);
    const feed = await listen((request, response) => {
      void one.answer(request.url ?? '', response);
    });
    const credentialId = await saveService(n8n.api, sandbox);
    const file = workflowOf(situation, feed.origin);
    const one: Interrupted = new Interrupted(situation, sandbox, feed, file, credentialId);
    await n8n.api.saveWorkflow(file, { socialPublishingApi: credentialId });
    await n8n.api.publishWorkflow(file.id);
    await n8n.api.listening(one.urlAt(n8n));
    one.setFaults();
    return one;
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    if (path.endsWith('/hangs') && !this.isFeedChanged) {
      this.isLaterNodeReached = true;
      return;
    }
    const { before, after } = this.situation;
    if (!this.isFeedChanged) await this.beforeFeed();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(this.isFeedChanged ? after : before));
  }

  get posts(): number {
    return this.sandbox.store.posts.length;
  }

  private urlAt = ({ origin }: N8nInstance): string => `${origin}/webhook/${this.file.id}`;

  private get nodes(): string[] {
    const names = this.file.nodes.map(({ name }) => name);
    return names.filter((name) => ![HOOK, FEED, LOOP, LATER].includes(name));
  }

  private setFaults(): void {
    const { by, answers, carriesOut, then, before } = this.situation;
    const { faults } = this.sandbox;
    if (by === 'failure') {
      faults.add({ kind: 'status', status: 422, method: 'POST', after: before.length - 1 });
      return;
    }
    if (then === 'later') return;
    if (carriesOut !== undefined) {
      faults.add({ kind: 'latency', ms: NEVER_MS, method: 'POST', after: carriesOut });
    }
    faults.add({
      kind: 'slowBody',
      everyMs: NEVER_MS,
      method: 'POST',
      ...(answers !== undefined && { after: answers }),
    });
  }

  /** How many posts exist when the execution is interrupted. */
  private get existing(): number {
    const { before, by, carriesOut, then } = this.situation;
    const wanted = before.filter(({ text }) => text !== '').length;
    if (by === 'failure') return wanted - 1;
    return carriesOut ?? (then === 'second' ? 2 * wanted : wanted);
  }

  /** Starts an execution. */
  async start(n8n: N8nInstance): Promise<void> {
    const headers = { connection: 'close' };
    const response = await fetch(this.urlAt(n8n), { method: 'POST', headers });
    if (!response.ok) throw new Error(`The webhook answered with ${response.status}`);
  }

  /** Waits until an execution is where it is to be interrupted, and interrupts it unless by a kill. */
  async begin(n8n: N8nInstance): Promise<void> {
    await this.start(n8n);
    const { name, by, then } = this.situation;
    await waitFor(`${name}: too few posts`, () => this.posts >= this.existing || undefined);
    if (then === 'later') {
      await waitFor(
        `${name}: the later node did not begin`,
        () => this.isLaterNodeReached || undefined,
      );
    }
    const id = await this.readId(n8n);
    if (by === 'failure') await n8n.api.finishedExecution(id);
    if (by === 'stop') await n8n.api.stopExecution(id);
  }

  /** The ID of the execution that was started. */
  private async readId(n8n: N8nInstance): Promise<string> {
    if (this.executionId === '') {
      const { results } = await n8n.api.executions(this.file.id);
      this.executionId = results[0]!.id;
    }
    return this.executionId;
  }

  /** Retries it as users do: once or twice at the same time, once more, and the Retry itself. */
  async retryAll(n8n: N8nInstance): Promise<void> {
    const { edit, twice = false, notBefore = 0 } = this.situation;
    this.isFeedChanged = true;
    this.sandbox.faults.clear();
    if (edit !== undefined) {
      const node = this.file.nodes.find(({ name }) => name === CREATE)!;
      const { name } = node;
      edit(node);
      this.file.connections = JSON.parse(
        JSON.stringify(this.file.connections).replaceAll(`"${name}"`, `"${node.name}"`),
      ) as WorkflowFile['connections'];
      await n8n.api.saveWorkflow(this.file, { socialPublishingApi: this.credentialId });
    }
    await delay(Math.max(0, notBefore - Date.now()));
    const id = await this.readId(n8n);
    const [first] = await Promise.all([
      this.retry(n8n, 'Retry', id),
      ...(twice ? [this.retry(n8n, 'Retry at once', id)] : []),
    ]);
    await this.retry(n8n, 'another Retry', id);
    if (!first.finished) await this.retry(n8n, 'Retry of the Retry', first.id);
  }

  private async retry(n8n: N8nInstance, name: string, id: string): Promise<Execution> {
    const { requests } = this.sandbox;
    const before = requests.length;
    const execution = await n8n.api.retryExecution(id, {
      savedWorkflow: this.situation.edit !== undefined,
    });
    const { failed, ...told } = toldBy(execution, this.nodes);
    const wanted = this.situation.after.length * this.nodes.length;
    this.retries.push({
      name,
      ...told,
      sent: requests.slice(before).filter(({ method }) => method === 'POST').length,
      silent: told.status === 'success' ? wanted - told.returned - failed : 0,
    });
    return execution;
  }

  /** How many posts with the same text and time the service has beyond those that were asked for. */
  doubled(): number {
    const { before, after } = this.situation;
    const countIn = (texts: readonly string[], text: string): number =>
      texts.filter((one) => one === text).length;
    const asked = [before, after].map((entries) => entries.map(({ text }) => text));
    const texts = this.sandbox.store.posts.map(({ variants }) => variants[0]?.content ?? '');
    return [...new Set(texts)].reduce((sum, text) => {
      const own = text.replace(/ again$/, '');
      const most = Math.max(1, ...asked.map((one) => countIn(one, own)));
      return sum + Math.max(0, countIn(texts, text) - most);
    }, 0);
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await this.feed.close();
  }
}
