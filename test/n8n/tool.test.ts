import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { outputOf, type WorkflowFile } from '../../scripts/n8n/rest';
import { Bench } from './support/bench';
import { node, toolNode } from './support/nodes';

const TOOL = 'Social Publishing';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

function agentWithTool(parameters: INodeParameters): WorkflowFile {
  return {
    id: randomUUID(),
    name: `Agent ${randomUUID()}`,
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger'),
      node('Agent', '@n8n/n8n-nodes-langchain.agent', { typeVersion: 3.1 }),
      toolNode(bench, TOOL, parameters),
    ],
    connections: {
      Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
      [TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
    },
  };
}

test('an agent that uses the node as a tool schedules a post with what it makes up', async () => {
  const workflow = agentWithTool({
    resource: 'post',
    operation: 'create',
    scheduledAt: "={{ $fromAI('when', 'When to publish, as ISO 8601', 'string') }}",
    content: "={{ $fromAI('text', 'The text', 'string') }}",
    accounts: "={{ $fromAI('accounts', 'The accounts', 'string') }}",
  });
  await bench.api.saveWorkflow(workflow, {});
  const execution = await bench.api.runWorkflow(workflow.id, 'Start', {
    name: TOOL,
    query: {
      when: '2030-01-02T03:04:05Z',
      text: 'Written by an agent',
      accounts: '@blue-door-bakery',
    },
  });
  expect(execution.status).toBe('success');
  const [, write] = bench.sandbox.requests;
  expect(JSON.parse(String(write?.body))).toStrictEqual({
    workspaceId: 1,
    status: 'scheduled',
    scheduledAt: '2030-01-02T03:04:05.000Z',
    variants: [{ socialAccountId: 3, content: 'Written by an agent' }],
  });
  const [result] = outputOf(execution, TOOL, 0, 'ai_tool');
  expect(JSON.stringify(result?.json)).toContain('2030-01-02T03:04:05.000Z');
});
