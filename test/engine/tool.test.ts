import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { addAccount } from '../support/accounts';
import {
  callingTool,
  readWorkflow,
  records,
  runWorkflow,
  toolNodeTypes,
  useSandbox,
} from './harness';

const service = useSandbox();
const { credentials = {} } = readWorkflow('post.create').nodes.at(-1) ?? {};

/** What a model is answered that calls the tool as it arrives in the editor, call by call. */
async function answers(parameters: INodeParameters, ...calls: IDataObject[]): Promise<unknown[]> {
  const run = await runWorkflow(callingTool({ name: 'Tool', parameters, credentials }), {
    credentials: service.credentials(),
    nodeTypes: toolNodeTypes,
    input: calls,
  });
  return records(run, 'Caller').map(({ answer }) => answer);
}

test('a model pauses the agent that it names, and must say which and whether it runs', async () => {
  service.sandbox.store.addAgent({
    workspaceId: 1,
    name: 'Ideas',
    type: 'content',
    isActive: true,
    schedule: '0 9 * * *',
    nextRunAt: '2035-01-01T09:00:00.000Z',
  });

  expect(
    await answers(
      { resource: 'agent', operation: 'update' },
      { agent_id: 1, active: false },
      { agent_id: 1 },
      { active: false },
    ),
  ).toEqual([
    expect.stringContaining('"isActive":false'),
    expect.stringMatching(/Required\s+→ at active/),
    expect.stringMatching(/Required\s+→ at agent_id/),
  ]);

  expect(service.sandbox.requests.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
    { workspaceId: 1, id: 1, isActive: false },
  ]);
});

test('a model reads the analytics of any number of days, and is told what a period is', async () => {
  expect(
    await answers(
      { resource: 'analytics', operation: 'get' },
      { period: 'last week' },
      { period: '14d' },
    ),
  ).toEqual([
    expect.stringMatching(/^Period is "last week", which is not a number of days.*such as 30d/s),
    expect.stringContaining('"totalPosts":0'),
  ]);

  expect(service.wire()).toEqual(['GET /api/v1/analytics?workspaceId=1&period=14d']);
});

test('a model is told what it can do about a time: no option, no expression, but the time it is', async () => {
  addAccount(service.sandbox);
  const call = { text: 'Hello', media_urls: '', accounts: 'x' };
  const parameters = {
    resource: 'post',
    operation: 'create',
    accounts: "={{ $fromAI('accounts', ``, 'string') }}",
    content: "={{ $fromAI('text', ``, 'string') }}",
    scheduledAt: "={{ $fromAI('publish_at', ``, 'string') }}",
  };
  const told = await answers(
    parameters,
    { ...call, publish_at: '2020-01-05T10:00' },
    { ...call, publish_at: '12/05/2035' },
    { ...call, publish_at: 'tomorrow 9am' },
  );

  for (const answer of told) {
    expect(answer).toMatch(/ISO 8601, such as \d{4}-.+T09:00\. It is now \d{4}-.+ in UTC/);
    expect(answer).not.toMatch(/option|Paste/);
  }
});
