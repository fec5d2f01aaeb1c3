import { WebhookContext } from 'n8n-core';
import type { INode } from 'n8n-workflow';
import { NodeConnectionTypes, Workflow } from 'n8n-workflow';

import type { Tool, WorkflowFixture } from '../harness';
import {
  additionalDataWith,
  callingTool,
  KnownNodeTypes,
  outcomeOf,
  records,
  storedCredentials,
  useBakery,
} from '../harness';
import { CREATE, creatingPosts, existing, held } from './creations';

const service = useBakery();

function calling(
  settings: Partial<INode>,
  scheduledAt = '2035-01-01T00:00:00.000Z',
  atOnce = false,
): WorkflowFixture {
  const create = creatingPosts(settings).nodes.find(({ name }) => name === CREATE);
  if (!create) throw new Error('The workflow creates no post');
  const content = "={{ $fromAI('text', 'The text', 'string') }}";
  return callingTool(
    { ...create, parameters: { ...create.parameters, content, scheduledAt } },
    atOnce,
  );
}

const callWith = async (workflow: WorkflowFixture, ...texts: string[]): Promise<unknown[]> => {
  const result = await service.run(
    workflow,
    texts.map((text) => ({ text })),
  );
  return records(result, 'Caller').map(({ answer }) => answer);
};

const call = (settings: Partial<INode>, ...texts: string[]): Promise<unknown[]> =>
  callWith(calling(settings), ...texts);

test('each call of an AI agent for something else creates a post of its own', async () => {
  const answers = await call({}, 'One', 'Two', 'Three');

  expect(existing(service.sandbox)).toEqual(['One', 'Two', 'Three']);
  expect(answers[2]).toContain('"id":3');
});

test('a model that calls again for the same is answered with the post that exists, and told so', async () => {
  const answers = await call({}, 'One', 'Two', 'One');

  expect(existing(service.sandbox)).toEqual(['One', 'Two']);
  expect(answers[0]).not.toContain('note');
  expect(answers[2]).toContain('"id":1');
  expect(answers[2]).toContain('"note":');
});

test('calls at the same time create a post each, and the same call twice one', async () => {
  const answers = await callWith(calling({}, undefined, true), 'One', 'Two', 'One', 'Three');

  expect(existing(service.sandbox)).toEqual(['One', 'Two', 'Three']);
  expect(answers[2]).toContain('"id":1');
  expect(answers[2]).toContain('"note":');
  expect(answers[3]).toContain('"id":3');
});

test('a later call for the same does not send what an earlier one left open', async () => {
  service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });

  const answers = await call({}, 'One', 'One', 'Two');

  expect(answers).toEqual([
    expect.not.stringContaining('"id":'),
    expect.stringContaining(held('leftOpen').message),
    expect.stringContaining('"id":2'),
  ]);
  expect(existing(service.sandbox)).toEqual(['One', 'Two']);
});

test('a call that is no part of an execution, as an MCP server makes, creates a post', async () => {
  const fixture = calling({});
  const workflow = new Workflow({
    ...fixture,
    id: 'mcp',
    active: true,
    nodeTypes: new KnownNodeTypes(),
  });
  const server = workflow.getNode('Caller');
  if (!server) throw new Error('n8n left the node out of the workflow');
  const additionalData = additionalDataWith(await storedCredentials(service.credentials()));
  const webhook = new WebhookContext(
    workflow,
    server,
    additionalData,
    'webhook',
    {
      httpMethod: 'POST',
      node: server.name,
      path: 'mcp',
      webhookDescription: { name: 'default', httpMethod: 'POST', path: 'mcp' },
      workflowId: workflow.id,
      workflowExecuteAdditionalData: additionalData,
    },
    [],
    null,
  );
  const [tool] = (await webhook.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
  if (!tool) throw new Error('No tool is connected');

  const answer = await outcomeOf(tool, { text: 'One' });

  expect(answer).toContain('"id":1');
  expect(existing(service.sandbox)).toEqual(['One']);
});
