import { setTimeout as delay } from 'node:timers/promises';

import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import { Turns } from '../../../nodes/SocialPublishing/idempotency/processMemory';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { chain, type Step } from '../../../scripts/n8n/chain';
import type { N8nInstance } from '../../../scripts/n8n/instance';
import type { WorkflowFile } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { addAccount } from '../../support/records';
import { listen, type TestServer } from '../../support/server';
import { saveService } from '../../support/service-credential';
import { actionNode } from '../support/bench';
import { isSince } from '../support/version';
import { CREATE, toldBy } from './posting';
import { heldBy } from './runs';

const HOOK = 'Webhook';
const FEED = 'Feed';
const SPLIT = 'Split Out';
const LOOP = 'Loop Over Items';
const WAIT = 'Wait';
const CALL = 'Call sub-workflow';
const CALL_AGAIN = 'Call it again';

/** What the service does with a post that it never does: longer than any test. */
const NEVER_MS = 3_600_000;

/** What the service does with a post for which a sub-workflow has no time: more than its timeout. */
const SLOW_MS = 2_500;

/** What was answered stands in the log by then. */
const WRITTEN_MS = 600;

/** How a workflow calls a sub-workflow: once for all items, or once for each. */
export type Mode = 'once' | 'each';

/** A workflow that calls one that creates posts, and what happens to it. */
export interface Situation {
  readonly name: string;
  /** The calls, the outermost first. */
  readonly modes: readonly Mode[];
  /** What interrupts it at its fourth post, unless another one is named. */
  readonly by: 'refusal' | 'kill' | 'stop' | 'timeout' | 'slowness' | 'nothing';
  /** How many posts are created before it is interrupted. */
  readonly after?: number;
  /** The texts that the feed gives; six of their own unless given. */
  readonly texts?: readonly string[];
  /** What the feed gives by the Retry. */
  readonly textsByRetry?: readonly string[];
  /** Whether the sub-workflow asks the feed, instead of the one that calls. */
  readonly asksItself?: boolean;
  /** Parameters of the node. */
  readonly publish?: INodeParameters;
  /** Settings of the calling node and of the one that creates. */
  readonly call?: Partial<INode>;
  readonly create?: Partial<INode>;
  /** Whether nobody waits for the sub-workflow. */
  readonly isNotAwaited?: boolean;
  /** How many items a round of a loop in the calling workflow has. */
  readonly loopOf?: number;
  /** Whether a second node calls it too: beside the first, or after it. */
  readonly second?: 'beside' | 'after';
  /** Where the calling workflow waits for a webhook: before its first call, or before its second. */
  readonly wait?: 'before' | 'between';
  readonly settings?: IWorkflowSettings;
  readonly subSettings?: IWorkflowSettings;
  /** What is retried: the failed sub-execution instead of the one that called it. */
  readonly retry?: 'sub-execution';
  /** Whether a failure starts a workflow that posts too. */
  readonly errorWorkflow?: boolean;
}

/** What came of one Retry. */
export interface Outcome {
  readonly status: string;
  /** How many posts exist beyond those that were asked for. */
  readonly doubled: number;
  /** How many don't exist. */
  readonly missing: number;
  /** How many were put out with their ID. */
  readonly returned: number;
  /** How many were put out without an ID, as existing. */
  readonly known: number;
  /** How many were left to a person. */
  readonly held: number;
  /** Why, in the node's own words. */
  readonly why: readonly string[];
}

/** What the node says of what it holds. */
const WHYS = [
  'It was interrupted',
  'sent in other words',
  'may be calling it again',
  'that call is still running',
  'not saved the executions',
  'n8n could not tell',
  'Another retry of this execution',
];

const webhook: Step = {
  name: HOOK,
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2,
  parameters: { httpMethod: 'POST', path: '', responseMode: 'onReceived' },
};

const called: Step = {
  name: 'When called',
  type: 'n8n-nodes-base.executeWorkflowTrigger',
  typeVersion: 1,
  parameters: {},
};

const ERROR_TRIGGER = 'n8n-nodes-base.errorTrigger';

const splitOut: Step = {
  name: SPLIT,
  type: 'n8n-nodes-base.splitOut',
  typeVersion: 1,
  parameters: { fieldToSplitOut: 'posts' },
};

const feedAt = (origin: string): Step & Partial<INode> => ({
  name: FEED,
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters: { url: `=${origin}/?resume={{ encodeURIComponent($execution.resumeUrl) }}` },
  executeOnce: true,
});

const wait: Step & Partial<INode> = {
  name: WAIT,
  type: 'n8n-nodes-base.wait',
  typeVersion: 1.1,
  parameters: { resume: 'webhook' },
};

const callOf = (
  name: string,
  id: string,
  mode: Mode,
  { call = {}, isNotAwaited = false }: Partial<Situation> = {},
): Step & Partial<INode> => ({
  name,
  type: 'n8n-nodes-base.executeWorkflow',
  typeVersion: 1.1,
  parameters: {
    workflowId: { __rl: true, mode: 'id', value: id },
    mode,
    options: { waitForSubWorkflow: !isNotAwaited },
  },
  ...call,
});

const createOf = ({ publish, create }: Situation): Step & Partial<INode> => ({
  name: CREATE,
  type: actionNode,
  typeVersion: 1,
  parameters: {
    resource: 'post',
    operation: 'create',
    content: '={{ $json.text }}',
    accounts: ['1'],
    publish: 'now',
    options: { concurrency: 1, includeInputFields: true },
    ...publish,
  },
  credential: 'socialPublishingApi',
  ...create,
});

export const textsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => `Post ${number}`);

/** The part of a text that doesn't change with each try. */
const nameIn = (text: string): string => /^Post \d+/.exec(text)?.[0] ?? text;

const publishing = new Turns<N8nInstance>();

/** The workflows of a situation in n8n, with a sandbox and a feed of their own. */
export class Calling {
  private id = '';

  private subId = '';

  private isRetried = false;

  private resumeUrl = '';

  private constructor(
    readonly situation: Situation,
    readonly sandbox: Sandbox,
    private readonly feed: TestServer,
    private readonly credentialId: string,
  ) {}

  /** Saves and publishes the workflows. */
  static async publish(n8n: N8nInstance, situation: Situation): Promise<Calling> {
    const sandbox = await startSandbox({ seed: false });
    addAccount(sandbox);
    const feed = await listen((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://feed');
      one.resumeUrl = searchParams.get('resume') ?? '';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ posts: one.texts.map((text) => ({ text })) }));
    });
    const credentialId = await saveService(n8n.api, sandbox);
    const one: Calling = new Calling(situation, sandbox, feed, credentialId);
    // n8n loses webhooks of workflows that are published at the same time.
    await publishing.take(n8n, async () => await one.saveAll(n8n));
    return one;
  }

  private get texts(): readonly string[] {
    const { texts = textsOf(6), textsByRetry = texts } = this.situation;
    return this.isRetried ? textsByRetry : texts;
  }

  private async save({ api }: N8nInstance, file: WorkflowFile): Promise<string> {
    for (const node of file.nodes) if ('path' in node.parameters) node.parameters['path'] = file.id;
    await api.saveWorkflow(file, { socialPublishingApi: this.credentialId });
    // n8n 1.x publishes nothing that other workflows call.
    const isCalled = file.nodes.some(({ type }) => [called.type, ERROR_TRIGGER].includes(type));
    if (!isCalled || isSince('2.0')) await api.publishWorkflow(file.id);
    return file.id;
  }

  /** Saves a workflow that others name by the ID that n8n has given it. */
  private async saveNamed(n8n: N8nInstance, file: WorkflowFile): Promise<string> {
    return (await n8n.api.workflow(await this.save(n8n, file))).id;
  }

  private async saveAll(n8n: N8nInstance): Promise<void> {
    const { situation } = this;
    const { modes, asksItself, settings, subSettings, errorWorkflow } = situation;
    const ask = [feedAt(this.feed.origin), splitOut];
    const sub = chain([called, ...(asksItself ? ask : []), createOf(situation)]);
    this.subId = await this.save(n8n, withSettings(sub, subSettings));
    let inner = (await n8n.api.workflow(this.subId)).id;
    for (const mode of modes.slice(1)) {
      inner = await this.saveNamed(n8n, chain([called, callOf(CALL, inner, mode)]));
    }
    const failing = errorWorkflow ? { errorWorkflow: await this.saveErrorWorkflow(n8n) } : {};
    this.id = await this.save(
      n8n,
      withSettings(this.parentOf(inner, ask), { ...settings, ...failing }),
    );
  }

  private parentOf(inner: string, ask: Step[]): WorkflowFile {
    const { situation } = this;
    const { modes, loopOf, second, wait: place, asksItself } = situation;
    const call = callOf(CALL, inner, modes[0]!, situation);
    const again = callOf(CALL_AGAIN, inner, modes[0]!, situation);
    // What comes out of the Wait node is what resumed it.
    const waiting = [wait, ...ask.map((step) => ({ ...step, name: `${step.name} again` }))];
    const loop: Step = {
      name: LOOP,
      type: 'n8n-nodes-base.splitInBatches',
      typeVersion: 3,
      parameters: { batchSize: loopOf ?? 1 },
    };
    const file = chain([
      webhook,
      ...(asksItself ? [] : ask),
      ...(place === 'before' ? waiting : []),
      ...(loopOf === undefined ? [] : [loop]),
      call,
      ...(place === 'between' ? waiting : []),
      ...(second === undefined ? [] : [again]),
    ]);
    const to = (...names: string[]) =>
      names.map((node) => ({ node, type: 'main' as const, index: 0 }));
    if (loopOf !== undefined) {
      file.connections[LOOP] = { main: [[], to(CALL)] };
      file.connections[CALL] = { main: [to(LOOP)] };
    }
    if (second === 'beside') {
      file.connections[SPLIT] = { main: [to(CALL, CALL_AGAIN)] };
      delete file.connections[CALL];
    }
    return file;
  }

  private async saveErrorWorkflow(n8n: N8nInstance): Promise<string> {
    return await this.saveNamed(
      n8n,
      chain([
        {
          name: 'Error Trigger',
          type: ERROR_TRIGGER,
          typeVersion: 1,
          parameters: {},
        },
        createOf({
          ...this.situation,
          publish: { content: '=Failed: {{ $json.execution.id }}' },
          create: {},
        }),
      ]),
    );
  }

  /** Starts an execution. @returns its ID */
  async start({ api, origin }: N8nInstance): Promise<string> {
    const url = `${origin}/webhook/${this.id}`;
    await api.listening(url);
    const { by, after = 3, wait: place } = this.situation;
    if (by === 'refusal') {
      this.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', after, times: 1 });
    } else if (by !== 'nothing') {
      const ms = by === 'slowness' ? SLOW_MS : NEVER_MS;
      this.sandbox.faults.add({ kind: 'latency', ms, method: 'POST', after });
    }
    const headers = { connection: 'close' };
    const response = await fetch(url, { method: 'POST', headers });
    if (!response.ok) throw new Error(`The webhook answered with ${response.status}`);
    const id = await waitFor('No execution began', async () => {
      const { results } = await api.executions(this.id);
      return results[0]?.id;
    });
    if (place !== undefined) {
      await waitFor('The execution does not wait', async () => {
        const { status } = await api.execution(id).catch(() => ({ status: 'new' }));
        return status === 'waiting' || undefined;
      });
      const resumed = await fetch(this.resumeUrl, { headers });
      if (!resumed.ok) throw new Error(`The Wait node answered with ${resumed.status}`);
    }
    return id;
  }

  /**
   * Waits until it is where it is to be interrupted, and interrupts it unless by a kill.
   *
   * @returns whether it has succeeded all the same
   */
  async interrupt({ api }: N8nInstance, id: string): Promise<boolean> {
    const { by, after = 3, name, isNotAwaited } = this.situation;
    if (by === 'kill' || by === 'stop') {
      await waitFor(`${name}: too few posts`, () => this.posts >= after || undefined);
      await delay(WRITTEN_MS);
      if (by === 'stop') await api.stopExecution(id);
      return false;
    }
    const { finished } = await api.finishedExecution(id);
    if (isNotAwaited) await api.executionsEnded(this.subId);
    return finished;
  }

  /** Retries as a user does. */
  async retry({ api }: N8nInstance, id: string): Promise<Outcome> {
    this.isRetried = true;
    this.sandbox.faults.clear();
    const before = await this.subExecutions(api);
    const { status } = await api.retryExecution(await this.retryable(api, id));
    await api.executionsEnded(this.subId);
    const made = (await this.subExecutions(api)).filter((one) => !before.includes(one));
    return await this.outcomeOf(api, status, made);
  }

  /** What came of an execution that nobody retries. */
  async ended({ api }: N8nInstance, status: string): Promise<Outcome> {
    return await this.outcomeOf(api, status, await this.subExecutions(api));
  }

  private async outcomeOf(
    api: N8nInstance['api'],
    status: string,
    made: readonly string[],
  ): Promise<Outcome> {
    const told = await Promise.all(made.map(async (one) => toldBy(await api.execution(one))));
    const records = told.flatMap((one) => one.records);
    return {
      status,
      ...this.counts(),
      returned: records.filter((one) => 'id' in one).length,
      known: records.filter((one) => !('id' in one)).length,
      held: told.reduce((sum, one) => sum + heldBy(one), 0),
      why: WHYS.filter((why) => JSON.stringify(told).includes(why)),
    };
  }

  private async retryable(api: N8nInstance['api'], id: string): Promise<string> {
    if (this.situation.retry !== 'sub-execution') return id;
    const { results } = await api.executions(this.subId, 100, ['error', 'crashed']);
    return results[0]!.id;
  }

  private async subExecutions(api: N8nInstance['api']): Promise<string[]> {
    return (await api.executions(this.subId, 100)).results.map(({ id }) => id);
  }

  /** How many posts the service has. */
  get posts(): number {
    return this.sandbox.store.posts.length;
  }

  /** What the service has, against what was asked for. */
  counts(): { doubled: number; missing: number } {
    const { second, loopOf } = this.situation;
    const times = second === undefined || loopOf !== undefined ? 1 : 2;
    const wanted = this.texts
      .map(nameIn)
      .flatMap((text) => Array.from({ length: times }, () => text));
    const there = this.sandbox.store.posts.map(({ variants }) =>
      nameIn(variants[0]?.content ?? ''),
    );
    const beyond = (some: string[], others: string[]): number =>
      [...new Set(some)].reduce((sum, text) => {
        const count = (all: string[]) => all.filter((one) => one === text).length;
        return sum + Math.max(0, count(some) - count(others));
      }, 0);
    return {
      doubled: beyond(
        there.filter((text) => text.startsWith('Post')),
        wanted,
      ),
      missing: beyond(wanted, there),
    };
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await this.feed.close();
  }
}

const withSettings = (file: WorkflowFile, settings: IWorkflowSettings = {}): WorkflowFile => ({
  ...file,
  settings: { ...file.settings, ...settings },
});
