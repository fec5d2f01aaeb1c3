import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { addAccount } from '../../support/records';
import { claimsOf } from '../faults/creations';
import {
  inARow,
  items,
  nodeError,
  readWorkflow,
  records,
  retried,
  useSandbox,
  withNode,
  withParameters,
} from '../harness';

const service = useSandbox();

const start = { name: 'Start', type: 'test-nodes.start' };

const edit = (values: string, more: INodeParameters = {}) => ({
  name: 'Edit',
  type: 'test-nodes.editInPlace',
  parameters: { values, ...more },
});

/** The one node under test of a fixture, for a row of its own. */
function serviceNode(workflowName: string, parameters: INodeParameters = {}): INode {
  const node = readWorkflow(workflowName).nodes.find(({ id }) => id === 'service');
  if (!node) throw new Error(`The workflow "${workflowName}" has no node with the id "service"`);
  return { ...node, parameters: { ...node.parameters, ...parameters } };
}

const { run } = service;

const agent = (name: string, more: IDataObject = {}) => ({
  name,
  schedule: '0 6 * * *',
  active: true,
  ...more,
});

const agents = (count: number) =>
  Array.from({ length: count }, (_, index) => agent(`Agent ${index}`));

const agentNames = () => service.sandbox.store.agents.map(({ name }) => name);

/** A workflow that saves agents one after the other, so that what has happened by a stop is certain. */
const saveAgents = (settings: Partial<INode> = {}, options: INodeParameters = {}) =>
  withNode(
    withParameters(readWorkflow('agent.create'), 'Save agent', {
      options: { concurrency: 1, ...options },
    }),
    'Save agent',
    settings,
  );

describe('every output item is linked to the item it came from', () => {
  beforeEach(() => {
    const { store } = service.sandbox;
    for (const workspace of [store.addWorkspace('Second'), store.addWorkspace('Third')]) {
      for (const platform of ['instagram', 'x']) {
        addAccount(service.sandbox, {
          workspaceId: workspace.id,
          platform,
          platformUsername: `${platform}${workspace.id}`,
          displayName: workspace.name,
        });
      }
    }
  });

  test('with several records for several items', async () => {
    const result = await run(
      inARow(
        start,
        serviceNode('account.getAll'),
        edit('={{ { from: $("Start").item.json.label } }}'),
      ),
      [
        { workspace: 3, label: 'third' },
        { workspace: 1, label: 'first' },
        { workspace: 2, label: 'second' },
      ],
    );

    expect(items(result, 'Get accounts').map(({ pairedItem }) => pairedItem)).toEqual([
      { item: 0 },
      { item: 0 },
      { item: 2 },
      { item: 2 },
    ]);
    expect(
      records(result, 'Edit').map(({ platformUsername, from }) => [platformUsername, from]),
    ).toEqual([
      ['instagram3', 'third'],
      ['x3', 'third'],
      ['instagram2', 'second'],
      ['x2', 'second'],
    ]);
  });

  test('with the pages of a list', async () => {
    service.sandbox.addPosts(3, { workspaceId: 2 });
    service.sandbox.addPosts(4, { workspaceId: 3 });

    const result = await run(
      inARow(
        start,
        serviceNode('post.getAll', {
          options: { pageSize: 2, workspaceId: '={{ $json.workspace }}' },
        }),
        edit('={{ { from: $("Start").item.json.label } }}'),
      ),
      [
        { workspace: 2, label: 'second' },
        { workspace: 3, label: 'third' },
      ],
    );

    expect(records(result, 'Edit').map(({ id, from }) => [id, from])).toEqual([
      [1, 'second'],
      [2, 'second'],
      [3, 'second'],
      [4, 'third'],
      [5, 'third'],
      [6, 'third'],
      [7, 'third'],
    ]);
  });
});

describe('the same read asked for by several items', () => {
  const hundred = Array.from({ length: 100 }, () => ({ workspace: 1, period: '7d' }));

  beforeEach(() => {
    addAccount(service.sandbox);
    service.sandbox.addPosts(2);
  });

  test.each([
    ['account.getAll', 'Get accounts', 1],
    ['agent.getAll', 'Get agents', 0],
    ['analytics.get', 'Get analytics', 1],
    ['post.getAll', 'Get posts', 2],
  ])('costs one request: %s', async (name, nodeName, each) => {
    const result = await run(readWorkflow(name), hundred);

    expect(service.sandbox.requests).toHaveLength(1);
    expect(records(result, nodeName)).toHaveLength(100 * each);
  });

  test('gives every item a copy of its own', async () => {
    const result = await run(
      inARow(start, serviceNode('analytics.get'), edit('{ "note": "edited" }', { onlyItem: 1 })),
      hundred.slice(0, 3),
    );

    expect(records(result, 'Edit').map(({ note }) => note)).toEqual([
      undefined,
      'edited',
      undefined,
    ]);
  });

  test('gives every item a copy of what is nested in it', async () => {
    const result = await run(
      inARow(start, serviceNode('analytics.get'), {
        ...edit('={{ { platformBreakdown: Object.assign($json.platformBreakdown, { x: 1 }) } }}', {
          onlyItem: 1,
        }),
      }),
      hundred.slice(0, 3),
    );
    const breakdowns = records(result, 'Edit').map(({ platformBreakdown }) => platformBreakdown);

    expect(new Set(breakdowns).size).toBe(3);
    expect(breakdowns).toEqual([{}, { x: 1 }, {}]);
  });

  test('is cut for each item by its own limit', async () => {
    addAccount(service.sandbox, { platform: 'instagram', displayName: 'Bakery' });

    const result = await run(
      withParameters(readWorkflow('account.getAll'), 'Get accounts', {
        returnAll: false,
        limit: '={{ $json.limit }}',
      }),
      [
        { workspace: 1, limit: 1 },
        { workspace: 1, limit: 2 },
      ],
    );

    expect(items(result, 'Get accounts').map(({ pairedItem }) => pairedItem)).toEqual([
      { item: 0 },
      { item: 1 },
      { item: 1 },
    ]);
    expect(service.sandbox.requests).toHaveLength(1);
  });
});

describe('On Error: Continue', () => {
  const input = [
    agent('Good'),
    agent('Bad input', { schedule: '0 6 * *' }),
    agent('Refused', { schedule: '99 99 * * *' }),
    agent('Also good'),
  ];
  const failures = [
    {
      json: {
        error: expect.stringMatching(/^Cron Expression .*\b4\b.*\[item 1\]$/) as unknown,
        details: expect.objectContaining({ certainty: 'notSent' }) as unknown,
      },
      pairedItem: { item: 1 },
    },
    {
      json: {
        error: expect.stringMatching(/\(422\) \[item 2\]$/) as unknown,
        details: expect.objectContaining({
          code: 'invalidValues',
          certainty: 'refused',
          httpCode: 422,
        }) as unknown,
      },
      pairedItem: { item: 2 },
    },
  ];

  test('keeps the good items and gives an item with the message for each bad one', async () => {
    const result = await run(saveAgents({ onError: 'continueRegularOutput' }), input);

    expect(items(result, 'Save agent')).toMatchObject([
      { json: { id: 1, name: 'Good' }, pairedItem: { item: 0 } },
      ...failures,
      { json: { id: 2, name: 'Also good' }, pairedItem: { item: 3 } },
    ]);
    expect(result.status).toBe('success');
  });

  test('with an error output, sends the bad items there with what they held', async () => {
    const result = await run(saveAgents({ onError: 'continueErrorOutput' }), input);

    expect(records(result, 'Save agent', 0)).toMatchObject([
      { name: 'Good' },
      { name: 'Also good' },
    ]);
    expect(records(result, 'Save agent', 1)).toMatchObject([
      { ...input[1], details: { code: 'numberOfFields' } },
      { ...input[2], details: { code: 'invalidValues' } },
    ]);
  });

  test('a wrong key costs one request, and every item says so', async () => {
    const result = await run(saveAgents({ onError: 'continueRegularOutput' }), agents(5), {
      credentials: service.credentials({ apiKey: 'spk_wrong' }),
    });

    expect(service.sandbox.requests).toHaveLength(1);
    expect(records(result, 'Save agent')).toMatchObject(
      [0, 1, 2, 3, 4].map((item) => ({
        error: expect.stringMatching(`\\[item ${item}\\]$`) as string,
        details: { code: 'keyNotAccepted' },
      })),
    );
  });
});

describe('a stop in the middle', () => {
  test('bad input of a later item stops everything before the first request', async () => {
    const failed = await run(saveAgents(), [...agents(2), agent('Bad', { active: 'x' })]);

    expect(nodeError(failed, 'Save agent').context).toMatchObject({
      code: 'invalidField',
      field: 'isActive',
      itemIndex: 2,
    });
    expect(service.sandbox.requests).toHaveLength(0);
  });

  test('a refusal says what had been created and what had not', async () => {
    const failed = await run(saveAgents(), [
      ...agents(2),
      agent('Refused', { schedule: '99 99 * * *' }),
      ...agents(2),
    ]);

    expect(nodeError(failed, 'Save agent').context).toMatchObject({
      code: 'invalidValues',
      itemIndex: 2,
    });
    expect(claimsOf(failed, 'Save agent')).toEqual({
      created: new Map([
        [0, 1],
        [1, 2],
      ]),
      uncertain: [],
      notCreated: [2, 3, 4],
    });
    expect(service.sandbox.requests).toHaveLength(3);
    expect(agentNames()).toEqual(['Agent 0', 'Agent 1']);
  });
});

describe('nothing is created twice in one execution', () => {
  test('Uncertain Agents: Send Again would rather create twice than leave out', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, after: 1, times: 1 });

    const result = await run(
      saveAgents({ retryOnFail: true, waitBetweenTries: 1 }, { uncertain: 'send' }),
      agents(3),
    );

    expect(records(result, 'Save agent').map(({ name }) => name)).toEqual([
      'Agent 0',
      'Agent 1',
      'Agent 2',
    ]);
    expect(agentNames()).toEqual(['Agent 0', 'Agent 1', 'Agent 1', 'Agent 2']);
  });

  test('a retry of the failed execution goes on where it stopped', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: 2, times: 1 });
    const failed = await run(saveAgents(), agents(4));
    expect(agentNames()).toEqual(['Agent 0', 'Agent 1']);

    const result = await run(saveAgents(), [], { mode: 'retry', from: retried(failed) });

    expect(records(result, 'Save agent').map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(agentNames()).toEqual(['Agent 0', 'Agent 1', 'Agent 2', 'Agent 3']);
  });

  test('a later edit of an output item does not show in what a retry returns', async () => {
    const workflow = inARow(
      start,
      withParameters(saveAgents(), 'Save agent', {}).nodes[1] as INode,
      edit('{ "name": "edited" }'),
      {
        name: 'Fail',
        type: 'test-nodes.failWith',
        parameters: { message: 'Not now' },
      },
    );
    const failed = await run(workflow, agents(1));

    expect(nodeError(failed, 'Fail').message).toBe('Not now');
    expect(JSON.stringify(failed.data.executionData?.contextData)).toContain('Agent 0');
    expect(JSON.stringify(failed.data.executionData?.contextData)).not.toContain('edited');
  });
});

test('Execute Once writes for the first item alone', async () => {
  await run(saveAgents({ executeOnce: true }), agents(3));

  expect(agentNames()).toEqual(['Agent 0']);
});
