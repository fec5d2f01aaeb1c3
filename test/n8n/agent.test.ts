import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { type Execution, outputOf, type WorkflowFile } from '../../scripts/n8n/rest';
import { Bench } from './support/bench';
import { ModelServer, type Turn } from './support/model-server';
import { node, toolNode } from './support/nodes';

const PROMPT = 'Announce fresh bread on Instagram and LinkedIn tomorrow morning.';

let bench: Bench;
let model: ModelServer;
let modelCredentialId: string;

beforeAll(async () => {
  bench = await Bench.open();
  model = await ModelServer.start();
  modelCredentialId = await bench.api.saveCredential({
    name: `Model ${randomUUID()}`,
    type: 'openAiApi',
    data: { apiKey: 'scripted', url: model.url },
  });
});

beforeEach(() => bench.sandbox.clearRequests());

afterAll(async () => {
  await model?.close();
  await bench.close();
});

/** What each tool does. Nothing else is chosen, as when they arrive in the editor. */
const TOOLS: Record<string, INodeParameters> = {
  'List accounts': { resource: 'account', operation: 'getAll' },
  'List posts': { resource: 'post', operation: 'getAll' },
  'Schedule a post': { resource: 'post', operation: 'create' },
  'Update an agent': { resource: 'agent', operation: 'update' },
  'Get analytics': { resource: 'analytics', operation: 'get' },
};

/** An AI agent with these tools. */
function agent(): WorkflowFile {
  const to = (type: 'ai_languageModel' | 'ai_tool') => ({
    [type]: [[{ node: 'Agent', type, index: 0 }]],
  });
  return {
    id: randomUUID(),
    name: `Agent ${randomUUID()}`,
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger'),
      node('Agent', '@n8n/n8n-nodes-langchain.agent', {
        typeVersion: 3.1,
        parameters: { promptType: 'define', text: PROMPT, options: {} },
      }),
      node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
        typeVersion: 1.2,
        parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
        credentials: { openAiApi: { id: modelCredentialId, name: 'Model' } },
      }),
      ...Object.entries(TOOLS).map(([name, parameters]) => toolNode(bench, name, parameters)),
    ],
    connections: {
      Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
      Model: to('ai_languageModel'),
      ...Object.fromEntries(Object.keys(TOOLS).map((name) => [name, to('ai_tool')])),
    },
    settings: { executionOrder: 'v1', timezone: 'America/New_York' },
  };
}

const tomorrow = new Date(Date.now() + 36 * 3600 * 1000).toISOString().slice(0, 10);

const schedule = (input: Record<string, unknown>): Turn => ({
  tool: 'Schedule_a_post',
  input: { text: 'Fresh bread!', media_urls: '', ...input },
});

const good = { accounts: '1, @blue-door-bakery', publish_at: `${tomorrow}T08:00` };

/** Lets the agent work, and prints what model and tools said to each other. */
async function converse(...script: Turn[]): Promise<Execution> {
  model.follow(...script);
  const workflow = agent();
  await bench.api.saveWorkflow(workflow, {});
  const execution = await bench.api.runWorkflow(workflow.id, 'Start');
  const answers = [...model.answers];
  const lines = script.map((turn) =>
    'tool' in turn
      ? `model calls ${turn.tool} ${JSON.stringify(turn.input)}\n  tool: ${answers.shift()}`
      : `model: ${'says' in turn ? turn.says : turn.fails}`,
  );
  console.log([`user: ${PROMPT}`, ...lines].join('\n'));
  return execution;
}

test('a model lists the accounts and schedules a post for two of them', async () => {
  const execution = await converse({ tool: 'List_accounts', input: {} }, schedule(good), {
    says: 'It is scheduled.',
  });

  expect(execution.status).toBe('success');
  expect(outputOf(execution, 'Agent')[0]?.json).toMatchObject({ output: 'It is scheduled.' });
  expect(model.answers[0]).toContain('"platformUsername":"bluedoorbakery"');
  const created = bench.sandbox.store.posts.at(-1);
  expect(created?.variants).toMatchObject([
    { socialAccountId: 1, content: 'Fresh bread!' },
    { socialAccountId: 3, content: 'Fresh bread!' },
  ]);
  expect(new Date(created?.scheduledAt ?? '').getTime()).toBeGreaterThan(Date.now());
  expect(model.answers[1]).toContain(`"id":${created?.id}`);
});

test('a model is told what each field is for, what time it is, and nothing that it cannot fill', async () => {
  await converse({ says: 'There is nothing to do.' });

  const tools = new Map(model.requests[0]?.tools?.map((one) => [one.function.name, one.function]));
  const { description, parameters } = tools.get('Schedule_a_post') ?? {};

  expect([...tools.keys()].sort()).toEqual([
    'Get_analytics',
    'List_accounts',
    'List_posts',
    'Schedule_a_post',
    'Update_an_agent',
  ]);
  expect(description).toMatch(/It is now \w+day \d{4}-\d\d-\d\dT\d\d:\d\d in America\/New_York\.$/);
  expect(parameters).toMatchObject({
    properties: {
      text: { description: expect.stringContaining('The text of the post') as string },
      accounts: { description: expect.stringContaining('handle') as string },
      publish_at: { description: expect.stringContaining('ISO 8601') as string },
      media_urls: { description: expect.stringContaining('Never make up a URL') as string },
    },
  });
  const fields = (name: string) => {
    const { properties } = tools.get(name)?.parameters as { properties: object };
    return Object.keys(properties).sort();
  };
  expect(fields('Schedule_a_post')).toEqual([
    'accounts',
    'media_urls',
    'publish_at',
    'text',
    'texts_for_accounts',
  ]);
  expect(fields('List_posts')).toEqual(['due_after', 'due_before', 'status']);
});

test('a model gives an account its own text, and reads how many posts there are', async () => {
  const own = { texts_for_accounts: '{"linkedin":"Fresh bread for your office"}' };

  await converse(
    schedule({ ...good, publish_at: '2036-03-01T08:00', ...own }),
    { tool: 'List_posts', input: { due_after: '2036-03-01', due_before: '2036-03-02' } },
    { says: 'Done.' },
  );

  expect(bench.sandbox.store.posts.at(-1)?.variants).toMatchObject([
    { socialAccountId: 1, content: 'Fresh bread!' },
    { socialAccountId: 3, content: 'Fresh bread for your office' },
  ]);
  expect(model.answers[1]?.replaceAll('\\', '')).toContain('"count":1');
});

test.each<[string, Record<string, unknown>, RegExp]>([
  [
    'an account that is none',
    { ...good, accounts: 'instagram, @bluedoor' },
    /"@bluedoor", which is not an account of this workspace.*LinkedIn: .*, or 3/,
  ],
  [
    'a time that has passed',
    { ...good, publish_at: '2020-01-05T08:00' },
    /5 Jan 2020, 08:00 \(America\/New_York\).*has passed.*It is now/,
  ],
  [
    'a file instead of a URL',
    { ...good, media_urls: 'bread.jpg' },
    /"bread\.jpg", which is not an absolute URL.*beginning with https/,
  ],
])('a model that makes a mistake can correct itself: %s', async (_what, mistake, answer) => {
  const before = bench.sandbox.store.posts.length;

  const execution = await converse(schedule(mistake), schedule(good), { says: 'Done.' });

  expect(execution.status).toBe('success');
  expect(model.answers[0]?.replaceAll('\\', '')).toMatch(answer);
  expect(bench.sandbox.store.posts).toHaveLength(before + 1);
});

test('a model pauses an agent and reads the analytics of a period of its choice', async () => {
  const ask = (period: string): Turn => ({ tool: 'Get_analytics', input: { period } });

  const execution = await converse(
    { tool: 'Update_an_agent', input: { agent_id: 2, active: false } },
    ask('last week'),
    ask('14d'),
    { says: 'Done.' },
  );

  expect(execution.status).toBe('success');
  const [update, analytics, ...others] = bench.sandbox.requests;
  expect(JSON.parse(String(update?.body))).toStrictEqual({
    workspaceId: 1,
    id: 2,
    isActive: false,
  });
  expect(bench.sandbox.store.agent(2)?.isActive).toBe(false);
  expect(model.answers[1]).toMatch(/Period is .*last week.*a number of days.*such as 30d/);
  expect(analytics?.query).toEqual({ workspaceId: '1', period: '14d' });
  expect(others).toEqual([]);
});
