import { actionNode, Bench, packageName, triggerNode } from './support/bench';
import { isSince } from './support/version';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

test('both nodes are there, and the action node as a tool for AI agents', async () => {
  const types = await bench.api.nodeTypes();
  const ours = types.filter(({ name }) => name.startsWith(packageName));
  expect(ours.map(({ name, displayName }) => [name, displayName]).sort()).toEqual([
    [actionNode, 'Social Publishing'],
    [`${actionNode}Tool`, 'Social Publishing Tool'],
    [triggerNode, 'Social Publishing Trigger'],
  ]);
  expect(ours.find(({ name }) => name === `${actionNode}Tool`)?.['outputs']).toEqual(['ai_tool']);
});

test('n8n finds the output schema of the trigger, and its hint for builders', async () => {
  const types = await bench.api.nodeTypes();
  const trigger = types.find(({ name }) => name === triggerNode);
  expect(trigger?.['builderHint']).toHaveProperty('searchHint');

  const response = await fetch(
    `${bench.api.origin}/schemas/${triggerNode}/${String(trigger?.['version'])}.0.json`,
  );

  // n8n 1.100 has no schemas without a resource.
  if (!isSince('1.123')) return;
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ properties: { event: { type: 'string' } } });
});

describe('the pickers', () => {
  const search = (methodName: string, filter?: string) =>
    bench.api.searchList({
      nodeType: actionNode,
      path: 'parameters.socialAccountId',
      methodName,
      parameters: { resource: 'post', operation: 'create' },
      credentials: { socialPublishingApi: { id: bench.credentialId, name: 'Service' } },
      ...(filter === undefined ? {} : { filter }),
    });

  test('accounts, each with its id', async () => {
    const { results } = await search('searchAccounts');
    expect(results.map(({ value }) => value).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(results.find(({ value }) => value === 1)?.name).toBe(
      'Instagram: Blue Door Bakery (@bluedoorbakery)',
    );
  });

  test('accounts, narrowed down', async () => {
    const { results } = await search('searchAccounts', 'LINKEDIN');
    expect(results.map(({ value }) => value)).toEqual([3]);
  });

  test('agents', async () => {
    const { results } = await search('searchAgents', 'keyword');
    expect(results.map(({ value }) => value)).toEqual([3]);
  });
});
