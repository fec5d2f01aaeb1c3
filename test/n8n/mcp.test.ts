import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { workDir } from '../../scripts/n8n/paths';
import { Bench } from './support/bench';
import { node, toolNode } from './support/nodes';

/** What the test needs of the official SDK. */
interface McpClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{
    tools: Array<{
      name: string;
      description?: string;
      inputSchema: {
        properties?: Record<string, { type?: string; description?: string }>;
        required?: string[];
      };
    }>;
  }>;
  callTool(call: { name: string; arguments: object }): Promise<{
    isError?: boolean;
    content: Array<{ type: string; text: string }>;
  }>;
}

/** The official SDK, which n8n brings along. */
const sdk = createRequire(join(workDir(), 'host', 'package.json'));
const { Client } = sdk('@modelcontextprotocol/sdk/client/index.js') as {
  Client: new (info: { name: string; version: string }) => McpClient;
};
const { StreamableHTTPClientTransport } = sdk(
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
) as { StreamableHTTPClientTransport: new (url: URL) => object };

/** The tools, as they arrive in the editor. */
const TOOLS: Record<string, INodeParameters> = {
  'List accounts': { resource: 'account', operation: 'getAll' },
  'List posts': { resource: 'post', operation: 'getAll' },
  'Schedule a post': { resource: 'post', operation: 'create' },
  'Get analytics': { resource: 'analytics', operation: 'get' },
};

let bench: Bench;
let client: McpClient;

beforeAll(async () => {
  bench = await Bench.open();
  const id = randomUUID();
  const path = randomUUID();
  await bench.api.saveWorkflow(
    {
      id,
      name: `MCP ${id}`,
      nodes: [
        node('Server', '@n8n/n8n-nodes-langchain.mcpTrigger', {
          typeVersion: 2,
          webhookId: path,
          parameters: { path },
        }),
        ...Object.entries(TOOLS).map(([name, parameters]) => toolNode(bench, name, parameters)),
      ],
      connections: Object.fromEntries(
        Object.keys(TOOLS).map((name) => [
          name,
          { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] },
        ]),
      ),
      settings: { executionOrder: 'v1', timezone: 'America/New_York' },
    },
    {},
  );
  await bench.api.publishWorkflow(id);
  client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`/mcp/${path}`, bench.api.origin)),
  );
});

afterAll(async () => {
  await client?.close();
  await bench.close();
});

/** The text that a tool answers. */
async function answer(name: string, input: object): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input });
  console.log(`client calls ${name} ${JSON.stringify(input)}\n  tool: ${content[0]?.text}`);
  return content.map(({ text }) => text).join('\n');
}

test('a client sees what each tool does, what it fills in, and what time it is', async () => {
  const { tools } = await client.listTools();
  console.log(JSON.stringify(tools, null, 1));
  const seen = new Map(tools.map((tool) => [tool.name, tool]));
  const fields = (name: string) => Object.keys(seen.get(name)?.inputSchema.properties ?? {}).sort();

  expect([...seen.keys()].sort()).toEqual([
    'Get_analytics',
    'List_accounts',
    'List_posts',
    'Schedule_a_post',
  ]);
  expect(fields('List_accounts')).toEqual([]);
  expect(fields('List_posts')).toEqual(['due_after', 'due_before', 'status']);
  expect(fields('Schedule_a_post')).toEqual([
    'accounts',
    'media_urls',
    'publish_at',
    'text',
    'texts_for_accounts',
  ]);
  expect(seen.get('Schedule_a_post')?.description).toMatch(
    /It is now \w+day .+ in America\/New_York/,
  );
});

test('a client reads accounts, schedules a post with two texts, and finds it again', async () => {
  expect(await answer('List_accounts', {})).toContain('"count":6');
  expect(
    await answer('Schedule_a_post', {
      text: 'Fresh bread!',
      accounts: 'instagram, linkedin',
      publish_at: '2035-05-01T08:00',
      texts_for_accounts: '{"linkedin":"Fresh bread for your office"}',
    }),
  ).toContain('"scheduledAt":"2035-05-01T12:00:00.000Z"');

  expect(bench.sandbox.store.posts.at(-1)?.variants).toMatchObject([
    { content: 'Fresh bread!' },
    { content: 'Fresh bread for your office' },
  ]);
  const found = await answer('List_posts', { due_after: '2035-05-01', due_before: '2035-05-02' });
  expect(found).toContain('"count":1');
  expect(await answer('Get_analytics', { period: 'last 7 days' })).toContain('totalPosts');
});

test('a client that makes a mistake is told what it can do, and nothing that only people can', async () => {
  const past = await answer('Schedule_a_post', {
    text: 'Too late',
    accounts: 'instagram',
    publish_at: '2020-05-01T08:00',
  });

  expect(past).toMatch(/has passed.*It is now \d{4}-/s);
  expect(past).not.toMatch(/option|Details:/);
});
