import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../../sandbox';
import { chain, type Step } from '../../../scripts/n8n/chain';
import { N8nInstance } from '../../../scripts/n8n/instance';
import { workDir } from '../../../scripts/n8n/paths';
import type { Execution } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { addAccount } from '../../support/accounts';
import { actionNode } from '../support/bench';
import { startFreshN8n } from '../support/fresh';
import { isSince } from '../support/version';

const CALL = 'Call sub-workflow';
const POSTS = 6;

const userFolder = join(workDir(), 'sub-workflows');

let n8n: N8nInstance;
let sandbox: Sandbox;
let credentialId: string;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
});

afterAll(() => n8n?.stop());

beforeEach(async () => {
  sandbox = await startSandbox({ seed: false });
  addAccount(sandbox);
  credentialId = await n8n.api.saveCredential({
    name: `Service ${Math.random()}`,
    type: 'socialPublishingApi',
    data: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.agency, workspaceId: '1' },
  });
});

afterEach(() => sandbox.close());

type Mode = 'once' | 'each';

const callOf = (id: string, mode: Mode, settings: Partial<INode> = {}): Step & Partial<INode> => ({
  name: CALL,
  type: 'n8n-nodes-base.executeWorkflow',
  typeVersion: 1.1,
  parameters: {
    workflowId: { __rl: true, mode: 'id', value: id },
    mode,
    options: {},
  },
  ...settings,
});

const called: Step = {
  name: 'When called',
  type: 'n8n-nodes-base.executeWorkflowTrigger',
  typeVersion: 1,
  parameters: {},
};

/** Saves a workflow, and lets it be called. @returns its ID */
async function save(...steps: Step[]): Promise<string> {
  const file = chain(steps);
  for (const node of file.nodes) if ('path' in node.parameters) node.parameters['path'] = file.id;
  await n8n.api.saveWorkflow(file, { socialPublishingApi: credentialId });
  await n8n.api.publishWorkflow(file.id);
  return file.id;
}

/** Saves a workflow that creates posts, called through so many others, each in a mode. */
async function publish(
  modes: readonly Mode[],
  text = '={{ $json.text }}',
  call: Partial<INode> = {},
  create: Partial<INode> = {},
): Promise<string> {
  let id = await save(called, {
    name: 'Create posts',
    type: actionNode,
    typeVersion: 1,
    parameters: {
      resource: 'post',
      operation: 'create',
      content: text,
      accounts: ['1'],
      publish: 'now',
      options: { concurrency: 1 },
    },
    credential: 'socialPublishingApi',
    ...create,
  });
  for (const mode of modes.slice(1)) id = await save(called, callOf(id, mode));
  return await save(
    {
      name: 'Webhook',
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
    callOf(id, modes[0]!, call),
  );
}

/** Starts an execution. @returns its ID */
async function start(workflow: string): Promise<string> {
  const url = `${n8n.origin}/webhook/${workflow}`;
  await n8n.api.listening(url);
  const posts = Array.from({ length: POSTS }, (_, number) => ({ text: `Post ${number}` }));
  const response = await fetch(url, {
    method: 'POST',
    headers: { connection: 'close', 'content-type': 'application/json' },
    body: JSON.stringify({ posts }),
  });
  expect(response.status).toBe(200);
  const { results } = await waitFor('No execution began', async () => {
    const found = await n8n.api.executions(workflow);
    return found.results.length > 0 ? found : undefined;
  });
  return results[0]!.id;
}

const texts = (): string[] =>
  sandbox.store.posts.map(({ variants }) => variants[0]?.content ?? '').sort();

const all = Array.from({ length: POSTS }, (_, number) => `Post ${number}`);

/** The IDs that the calling node put out. */
const idsOf = ({ data }: Execution): unknown[] =>
  (data.resultData.runData[CALL]?.at(-1)?.data?.main ?? []).flatMap((items) =>
    (items ?? []).map(({ json }) => json['id']),
  );

const refuse = (after: number): void => {
  sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', after, times: 1 });
};

const SHAPES: Array<[string, Mode[]]> = [
  ['once', ['once']],
  ['for each item', ['each']],
  ['through another, once', ['once', 'once']],
  ['through another, for each item', ['once', 'each']],
];

/** n8n tells a sub-execution which one called it, and gives retries a name, from this version on. */
const isKnown = (): boolean => isSince('2.14');

describe.each(SHAPES)('a sub-workflow that is called %s', (_, modes) => {
  test('of whose posts one is refused: a Retry creates what is missing, and returns the rest', async () => {
    refuse(3);
    const id = await start(await publish(modes));
    expect((await n8n.api.finishedExecution(id)).status).toBe('error');
    expect(texts()).toHaveLength(3);
    const retried = await n8n.api.retryExecution(id);

    if (!isKnown()) return;
    expect(texts()).toEqual(all);
    expect(retried.status).toBe('success');
    expect(idsOf(retried)).toEqual([1, 2, 3, 4, 5, 6]);
    await n8n.api.retryExecution(id);
    expect(texts()).toEqual(all);
  });

  test.each(['killed', 'stopped'])('and %s: no Retry creates a post twice', async (how) => {
    sandbox.faults.add({ kind: 'latency', ms: 3_600_000, method: 'POST', after: 3 });
    const workflow = await publish(modes);
    const id = await start(workflow);
    await waitFor('Too few posts', () => sandbox.store.posts.length >= 3 || undefined);
    // What was answered stands in the log a quarter of a second later.
    await new Promise((resolve) => setTimeout(resolve, 600));
    if (how === 'stopped') await n8n.api.stopExecution(id);
    else {
      await n8n.kill();
      n8n = await N8nInstance.start({ userFolder });
    }
    sandbox.faults.clear();
    await n8n.api.executionsEnded(workflow);
    const first = await n8n.api.retryExecution(id);
    await n8n.api.retryExecution(id);
    if (!first.finished) await n8n.api.retryExecution(first.id);

    if (isKnown()) expect(new Set(texts()).size).toBe(texts().length);
  });
});

test('the same text in each call is a post each', async () => {
  const id = await start(await publish(['each'], 'The same'));

  expect((await n8n.api.finishedExecution(id)).status).toBe('success');
  expect(texts()).toEqual(all.map(() => 'The same'));
});

test.each<[string, Partial<INode>, Partial<INode>]>([
  ['the calling node', { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 }, {}],
  ['the node', {}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 }],
  [
    'both',
    { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
    { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
  ],
])('Retry On Fail of %s creates what is missing, and nothing twice', async (_, call, create) => {
  refuse(3);
  const id = await start(await publish(['once'], '={{ $json.text }}', call, create));
  const execution = await n8n.api.finishedExecution(id);

  if (!isKnown()) return;
  expect(texts()).toEqual(all);
  expect(execution.status).toBe('success');
});
