import { randomUUID } from 'node:crypto';

import type { IConnections } from 'n8n-workflow';

import { type Execution, type WorkflowFile } from '../../../scripts/n8n/rest';
import { addAccount } from '../../support/records';
import { actionNode, Bench } from '../support/bench';
import { ModelServer, type Turn } from '../support/model-server';
import { node } from '../support/nodes';

const TOOL = 'Schedule a post';

let bench: Bench;
let model: ModelServer;
let modelCredentialId: string;

beforeAll(async () => {
  bench = await Bench.open({ seed: false });
  addAccount(bench.sandbox);
  model = await ModelServer.start();
  modelCredentialId = await bench.api.saveCredential({
    name: `Model ${randomUUID()}`,
    type: 'openAiApi',
    data: { apiKey: 'scripted', url: model.url },
  });
});

afterEach(() => bench.sandbox.faults.clear());

afterAll(async () => {
  await model?.close();
  await bench.close();
});

const FIXED_TIME = '2035-01-01T00:00:00.000Z';

/** A time that is another on each try. */
const CHANGING_TIME = '={{ $now.plus({ years: 1, milliseconds: 1e9 * Math.random() }) }}';

/** An agent whose tool creates posts with a text of the model. */
const agentOf = (typeVersion: number, scheduledAt: string): WorkflowFile => ({
  id: randomUUID(),
  name: `Agent ${randomUUID()}`,
  nodes: [
    node('Start', 'n8n-nodes-base.manualTrigger'),
    node('Agent', '@n8n/n8n-nodes-langchain.agent', {
      typeVersion,
      parameters: { agent: 'toolsAgent', promptType: 'define', text: 'Announce it.', options: {} },
    }),
    node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
      typeVersion: 1.2,
      parameters: {
        model: { __rl: true, mode: 'id', value: 'scripted' },
        options: { maxRetries: 0 },
      },
      credentials: { openAiApi: { id: modelCredentialId, name: 'Model' } },
    }),
    node(TOOL, `${actionNode}Tool`, {
      parameters: {
        resource: 'post',
        operation: 'create',
        content: "={{ $fromAI('text', 'The text', 'string') }}",
        accounts: ['1'],
        publish: 'at',
        scheduledAt,
      },
      credentials: { socialPublishingApi: { id: bench.credentialId, name: 'Service' } },
      retryOnFail: true,
      maxTries: 3,
      waitBetweenTries: 1,
    }),
  ],
  connections: {
    Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
    Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
    [TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
  },
  settings: { executionOrder: 'v1' },
});

const schedule = (text: string): Turn => ({ tool: 'Schedule_a_post', input: { text } });

const textsNow = (): Array<string | undefined> =>
  bench.sandbox.store.posts.map(({ variants }) => variants[0]?.content);

async function converse(
  typeVersion: number,
  scheduledAt: string,
  ...script: Turn[]
): Promise<Execution> {
  const workflow = agentOf(typeVersion, scheduledAt);
  await bench.api.saveWorkflow(workflow, {});
  model.follow(...script);
  return await bench.api.runWorkflow(workflow.id, 'Start');
}

/** A workflow that creates a post for each item it is called with, and another that calls it. */
function callingWorkflows(items: string[]): { sub: WorkflowFile; parent: WorkflowFile } {
  const to = (name: string): IConnections[string] => ({
    main: [[{ node: name, type: 'main', index: 0 }]],
  });
  const sub: WorkflowFile = {
    id: randomUUID(),
    name: `Sub-workflow ${randomUUID()}`,
    nodes: [
      node('Called', 'n8n-nodes-base.executeWorkflowTrigger', {
        typeVersion: 1.1,
        parameters: { inputSource: 'passthrough' },
      }),
      node('Create posts', actionNode, {
        parameters: {
          resource: 'post',
          operation: 'create',
          content: '={{ $json.text }}',
          accounts: ['1'],
          publish: 'at',
          scheduledAt: '2035-01-01T00:00:00.000Z',
          options: { concurrency: 1 },
        },
        credentials: { socialPublishingApi: { id: bench.credentialId, name: 'Service' } },
      }),
    ],
    connections: { Called: to('Create posts') },
    settings: { executionOrder: 'v1' },
  };
  const parent: WorkflowFile = {
    id: randomUUID(),
    name: `Parent ${randomUUID()}`,
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger'),
      node('Call', 'n8n-nodes-base.executeWorkflow', {
        typeVersion: 1.2,
        parameters: { workflowId: { __rl: true, mode: 'id', value: sub.id }, options: {} },
        retryOnFail: true,
        maxTries: 2,
        waitBetweenTries: 1,
      }),
    ],
    connections: { Start: to('Call') },
    settings: { executionOrder: 'v1' },
    pinData: { Start: items.map((text) => ({ json: { text } })) },
  };
  return { sub, parent };
}

test('a sub-workflow that its parent calls again is a new intent', async () => {
  const items = ['One', 'Two', 'Three'].map((text) => `${text} ${randomUUID()}`);
  const { sub, parent } = callingWorkflows(items);
  bench.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', after: 2, times: 1 });
  await bench.api.saveWorkflow(sub, {});
  await bench.api.saveWorkflow(parent, {});

  const { status } = await bench.api.runWorkflow(parent.id, 'Start');

  expect(status).toBe('success');
  const [one, two, three] = items;
  expect(textsNow().filter((text) => items.includes(text ?? ''))).toEqual([
    one,
    two,
    one,
    two,
    three,
  ]);
});

describe.each([1.9, 2.2, 3.1])('version %f of the AI Agent node', (version) => {
  test('with Retry On Fail of the tool creates no post twice', async () => {
    const text = `Fresh bread ${randomUUID()}`;
    bench.sandbox.faults.add({ kind: 'reset', processed: true, method: 'POST', times: 1 });

    await converse(version, CHANGING_TIME, schedule(text), { says: 'I am not sure.' });

    expect(textsNow().filter((one) => one === text)).toHaveLength(1);
  });

  test('gets the earlier result when the model makes the same call again', async () => {
    const mark = randomUUID();
    const before = bench.sandbox.store.posts.length;
    const [bread, rolls] = [`Fresh bread ${mark}`, `Rolls ${mark}`];

    await converse(version, FIXED_TIME, schedule(bread), schedule(rolls), schedule(bread), {
      says: 'Done.',
    });

    expect(textsNow().slice(before)).toEqual([bread, rolls]);
  });

  test.each([
    ['the same call gets the earlier result', FIXED_TIME, 'Fresh bread', 'success'],
    ['a call for another time is held', CHANGING_TIME, 'Fresh bread', undefined],
    ['a call in other words is held', FIXED_TIME, 'Rolls, too', undefined],
  ])('starts over in a Retry of a failed execution: %s', async (_what, time, words, status) => {
    const mark = randomUUID();
    const before = bench.sandbox.store.posts.length;
    const failed = await converse(version, time, schedule(`Fresh bread ${mark}`), {
      fails: 'Too many tokens',
    });
    expect(failed.status).toBe('error');

    model.follow(schedule(`${words} ${mark}`), { says: 'Done.' });
    const again = await bench.api.retryExecution(failed.id);

    if (status !== undefined) expect(again.status).toBe(status);
    expect(bench.sandbox.store.posts.slice(before)).toHaveLength(1);
  });
});
