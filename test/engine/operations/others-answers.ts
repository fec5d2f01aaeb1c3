import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { addAccount, addAgent } from '../../support/records';
import { readWorkflow, records, useSandbox, withNode, withParameters } from '../harness';

/** What becomes of each operation when it gets the answer to another request. */

const service = useSandbox();

const NINE = '2035-01-01T09:00:00.000Z';
const POST = { content: 'Hello', accounts: [1], overrides: {}, scheduledAt: NINE, timeZone: 'UTC' };
const AGENT = { name: 'Mine', active: true, schedule: '0 6 * * *' };

/** Other requests, each with what the service answers to it. */
const others = {
  'accounts of 2': ['GET', '/accounts?workspaceId=2'],
  'agents of 2': ['GET', '/agents?workspaceId=2'],
  'analytics of 2': ['GET', '/analytics?workspaceId=2&period=7d'],
  'posts of 2': ['GET', '/posts?workspaceId=2'],
  'a post in 2': ['POST', '/posts', { workspaceId: 2 }],
  'a post at 10:00': ['POST', '/posts', { scheduledAt: NINE.replace('09', '10') }],
  'another agent': ['POST', '/agents', { name: 'Other' }],
} as const;

type Other = keyof typeof others;

const bodies: Record<string, IDataObject> = {
  '/posts': {
    workspaceId: 1,
    status: 'scheduled',
    scheduledAt: NINE,
    variants: [{ socialAccountId: 1, content: 'Hello' }],
  },
  '/agents': { workspaceId: 1, type: 'seo', isActive: true, schedule: '0 6 * * *', config: {} },
};

async function answerTo(other: Other): Promise<{ status: number; body: IDataObject }> {
  const [method, path, more] = others[other];
  const { baseUrl, keys } = service.sandbox;
  const body: IDataObject | undefined = more && { ...bodies[path], ...more };
  if (body?.workspaceId === 2) body.variants = [{ socialAccountId: 2, content: 'Hello' }];
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.pro}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return { status: response.status, body: (await response.json()) as IDataObject };
}

/** `success`, or the code and the certainty of what failed. */
async function outcomeOf(
  operation: string,
  parameters: INodeParameters,
  path: string,
  other: Other,
): Promise<string> {
  const { status, body } = await answerTo(other);
  const workflow = readWorkflow(operation);
  const node = String(workflow.nodes.at(-1)?.name);
  const going = withNode(withParameters(workflow, node, parameters), node, {
    onError: 'continueRegularOutput',
  });
  const method = path === 'POST' ? 'POST' : 'GET';
  service.sandbox.faults.add({
    kind: 'status',
    status,
    body,
    method,
    ...(path !== method && { path }),
  });
  const input = workflow.pinData?.Start?.map(({ json }) => json) ?? [{}];
  const run = await service.run(going, [input[0]!]);
  const [{ error, details } = {}] = records(run, node) as Array<{
    error?: unknown;
    details?: { code: string; certainty: string };
  }>;
  return error === null || details === undefined
    ? 'success'
    : `${details.code}, ${details.certainty}`;
}

beforeEach(() => {
  const { store } = service.sandbox;
  store.addWorkspace('Second');
  for (const workspaceId of [1, 2]) {
    addAccount(service.sandbox, { workspaceId, platformUsername: 'a', displayName: 'A' });
    addAgent(service.sandbox, { workspaceId, name: `Agent of ${workspaceId}`, type: 'seo' });
    service.sandbox.addPosts(1, { workspaceId, scheduledAt: '2034-01-01T00:00:00.000Z' });
  }
});

/** Accounts, agents of a list and analytics name no workspace: nobody can tell whose they are. */
const NOT_NAMED = 'success';

const skip = { ...POST, options: { ifScheduled: 'skip' } };
const named = { ...POST, accounts: '={{ "@a" }}' };

test.each<[operation: string, INodeParameters, path: string, other: Other, outcome: string]>([
  ['post.create', POST, 'POST', 'a post in 2', 'otherRecord, uncertain'],
  ['post.create', POST, 'POST', 'a post at 10:00', 'otherRecord, uncertain'],
  ['post.create', POST, 'POST', 'another agent', 'unexpectedResponse, uncertain'],
  ['post.create', skip, '/posts', 'posts of 2', 'otherWorkspace, notSent'],
  ['post.create', skip, '/posts', 'accounts of 2', 'unexpectedResponse, notSent'],
  ['post.create', named, '/accounts', 'posts of 2', 'unexpectedResponse, notSent'],
  ['post.preview', skip, '/posts', 'posts of 2', 'otherWorkspace, notSent'],
  ['post.preview', named, '/accounts', 'agents of 2', 'unexpectedResponse, notSent'],
  ['post.getAll', {}, '/posts', 'posts of 2', 'otherWorkspace, failed'],
  ['post.getAll', {}, '/posts', 'accounts of 2', 'unexpectedResponse, failed'],
  ['account.getAll', {}, '/accounts', 'posts of 2', 'unexpectedResponse, failed'],
  ['account.getAll', {}, '/accounts', 'agents of 2', 'unexpectedResponse, failed'],
  ['account.getAll', {}, '/accounts', 'accounts of 2', NOT_NAMED],
  ['analytics.get', {}, '/analytics', 'posts of 2', 'unexpectedResponse, failed'],
  ['analytics.get', {}, '/analytics', 'analytics of 2', NOT_NAMED],
  ['agent.create', AGENT, 'POST', 'another agent', 'otherRecord, uncertain'],
  ['agent.create', AGENT, 'POST', 'a post in 2', 'unexpectedResponse, uncertain'],
  [
    'agent.update',
    { updateFields: { isActive: false } },
    'POST',
    'another agent',
    'otherRecord, uncertain',
  ],
  [
    'agent.update',
    { updateFields: { isActive: false } },
    'POST',
    'a post in 2',
    'unexpectedResponse, uncertain',
  ],
  ['agent.getAll', {}, '/agents', 'accounts of 2', 'unexpectedResponse, failed'],
  ['agent.getAll', {}, '/agents', 'agents of 2', NOT_NAMED],
])('%s, with %j, asks %s and gets %s: %s', async (operation, parameters, path, other, outcome) => {
  expect(await outcomeOf(operation, parameters, path, other)).toBe(outcome);
});
