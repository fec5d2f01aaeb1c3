import { WebhookContext } from 'n8n-core';
import type {
  IDataObject,
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  INodeType,
} from 'n8n-workflow';
import { NodeConnectionTypes, Workflow } from 'n8n-workflow';

import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import type { WorkflowFixture } from '../harness';
import {
  additionalDataWith,
  inARow,
  KnownNodeTypes,
  records,
  runWorkflow,
  StoredCredentials,
  useSandbox,
} from '../harness';
import { addAccount, CREATE, creatingPosts, existing } from './creations';

const service = useSandbox();

beforeEach(() => addAccount(service.sandbox));

interface Tool {
  invoke(args: IDataObject): Promise<string>;
}

/** What a call of a tool gave, or what it failed with. */
const outcomeOf = (tool: Tool, args: IDataObject): Promise<string> =>
  tool.invoke(args).catch((error: Error) => error.message);

/** The action node as n8n offers it to AI agents: with a tool for its only output. */
class SocialPublishingTool extends SocialPublishing {
  constructor() {
    super();
    this.description = {
      ...this.description,
      name: 'socialPublishingTool',
      inputs: [],
      outputs: [NodeConnectionTypes.AiTool],
    };
  }
}

/** Calls the tool that is connected to it with each input item, one after the other. */
class Caller implements INodeType {
  description = {
    displayName: 'Caller',
    name: 'caller',
    description: 'Caller',
    group: [],
    version: 1,
    defaults: {},
    inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
    outputs: [NodeConnectionTypes.Main],
    properties: [],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
    if (!tool) throw new Error('No tool is connected');
    const answers: INodeExecutionData[] = [];
    for (const { json } of this.getInputData()) {
      answers.push({ json: { answer: await outcomeOf(tool, json) } });
    }
    return [answers];
  }
}

const nodeTypes = { 'tools.create': new SocialPublishingTool(), 'tools.caller': new Caller() };

function calling(
  settings: Partial<INode>,
  scheduledAt = '2035-01-01T00:00:00.000Z',
): WorkflowFixture {
  const [create] = creatingPosts(settings).nodes.filter(({ name }) => name === CREATE);
  if (!create) throw new Error('The workflow creates no post');
  const row = inARow(
    { name: 'Start', type: 'test-nodes.start' },
    { name: 'Caller', type: 'tools.caller' },
  );
  return {
    ...row,
    nodes: [
      ...row.nodes,
      {
        ...create,
        type: 'tools.create',
        parameters: {
          ...create.parameters,
          content: "={{ $fromAI('text', 'The text', 'string') }}",
          scheduledAt,
        },
      },
    ],
    connections: {
      ...row.connections,
      [CREATE]: { ai_tool: [[{ node: 'Caller', type: NodeConnectionTypes.AiTool, index: 0 }]] },
    },
  };
}

const callWith = async (workflow: WorkflowFixture, ...texts: string[]): Promise<unknown[]> => {
  const result = await runWorkflow(workflow, {
    credentials: service.credentials(),
    nodeTypes,
    input: texts.map((text) => ({ text })),
  });
  return records(result, 'Caller').map(({ answer }) => answer);
};

const call = (settings: Partial<INode>, ...texts: string[]): Promise<unknown[]> =>
  callWith(calling(settings), ...texts);

test('each call of an AI agent creates a post of its own', async () => {
  const answers = await call({}, 'One', 'Two', 'One');

  expect(existing(service.sandbox)).toEqual(['One', 'Two', 'One']);
  expect(answers[2]).toContain('"id":3');
});

test('Retry On Fail of a tool does not send again what is open', async () => {
  service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });

  const answers = await call({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }, 'One');

  expect(answers).toEqual([expect.stringMatching(/^An earlier try .* was not sent again/)]);
  expect(existing(service.sandbox)).toEqual(['One']);
  expect(service.sandbox.requests).toHaveLength(1);
});

test('Retry On Fail of a tool does not, either, when its time is another on each try', async () => {
  service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });
  const inYears = '={{ $now.plus({ years: 5, milliseconds: Math.floor(1e9 * Math.random()) }) }}';

  const answers = await callWith(
    calling({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }, inYears),
    'One',
    'Two',
  );

  expect(answers).toEqual([
    expect.stringMatching(/^An earlier try .* was not sent again/),
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
    nodeTypes: new KnownNodeTypes(nodeTypes),
  });
  const server = workflow.getNode('Caller');
  if (!server) throw new Error('n8n left the node out of the workflow');
  const additionalData = additionalDataWith(await StoredCredentials.of(service.credentials()));
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
