import type { IDataObject, INodeParameters, IPairedItemData } from 'n8n-workflow';

import { addAccount, addAgent } from '../../support/records';
import { hintsOf, items, readWorkflow, useSandbox, withNode, withParameters } from '../harness';

const service = useSandbox();

const COUNT = 24;

/** Runs the last node of a workflow with Continue, and returns what came of each item. */
async function run(name: string, parameters: INodeParameters, input?: IDataObject[]) {
  const workflow = readWorkflow(name);
  const pinned = workflow.pinData?.Start?.map(({ json }) => json) ?? [{}];
  const node = String(workflow.nodes.at(-1)?.name);
  const going = withNode(withParameters(workflow, node, parameters), node, {
    onError: 'continueRegularOutput',
  });
  const result = await service.run(going, input ?? pinned);
  const output = items(result, node);
  return {
    output: output.map(({ json }) => json),
    sources: output.map(({ pairedItem }) => (pairedItem as IPairedItemData).item),
    lines: hintsOf(result, node),
  };
}

const isRight = ({ error }: IDataObject): boolean => error === null;

beforeEach(() => {
  const { store } = service.sandbox;
  for (const name of ['Second', 'Third']) store.addWorkspace(name);
  for (const workspaceId of [1, 2, 3]) {
    for (const platform of ['x', 'tiktok']) {
      addAccount(service.sandbox, {
        workspaceId,
        platform,
        platformUsername: 'a',
        displayName: 'A',
      });
    }
  }
});

describe('a service that crosses its answers', () => {
  test('makes no post of another time or workspace a success', async () => {
    service.sandbox.faults.add({ kind: 'crossed' });
    const input = Array.from({ length: COUNT }, (_, index) => ({
      at: new Date(Date.UTC(2035, 0, 1, 0, index * 2)).toISOString(),
      workspace: (index % 3) + 1,
      account: (index % 3) * 2 + 1,
    }));
    const { output } = await run(
      'post.create',
      {
        content: 'Hello',
        accounts: '={{ [$json.account] }}',
        overrides: {},
        scheduledAt: '={{ $json.at }}',
        options: { workspaceId: '={{ $json.workspace }}' },
      },
      input,
    );

    expect(output).toHaveLength(COUNT);
    for (const [index, item] of output.entries()) {
      if (isRight(item)) {
        expect(item).toMatchObject({
          workspaceId: input[index]?.workspace,
          scheduledAt: input[index]?.at,
        });
      } else expect(item.details).toMatchObject({ code: 'otherRecord', certainty: 'uncertain' });
    }
    expect(output.filter(isRight).length).toBeLessThan(COUNT / 2);
  });

  test('gives no two posts of one time the same ID', async () => {
    service.sandbox.faults.add({ kind: 'crossed' });
    const parameters = {
      content: 'Hello',
      accounts: [1],
      overrides: {},
      scheduledAt: '2035-01-01T09:00',
      options: { concurrency: 1 },
    };
    const { output } = await run('post.create', parameters, [{}, {}, {}, {}]);
    const ids = output.filter(isRight).map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
  });

  test('makes no other agent a success', async () => {
    service.sandbox.faults.add({ kind: 'crossed' });
    const input = Array.from({ length: COUNT }, (_, index) => ({
      name: `Agent ${index}`,
      active: index % 2 === 0,
      schedule: '0 6 * * *',
    }));
    const created = await run('agent.create', {}, input);
    const wrong = created.output.filter(
      (item, index) => isRight(item) && item.name !== `Agent ${index}`,
    );

    expect(wrong).toEqual([]);
    expect(created.output.filter(isRight).length).toBeLessThan(COUNT / 2);

    const ids = service.sandbox.store.agents.map(({ id }) => ({ agent: id }));
    const changed = await run('agent.update', { updateFields: { isActive: false } }, ids);

    for (const [index, item] of changed.output.entries()) {
      if (isRight(item)) expect(item).toMatchObject({ id: ids[index]?.agent });
    }
    expect(changed.output.filter(isRight).length).toBeLessThan(COUNT / 2);
  });

  test('makes no posts of another workspace a success, nor a part of a list without a word', async () => {
    for (const workspaceId of [1, 2, 3]) service.sandbox.addPosts(340, { workspaceId });
    service.sandbox.faults.add({ kind: 'crossed' });
    const workspaces = [1, 2, 3, 1, 2, 3].map((workspace) => ({ workspace }));
    const options = { workspaceId: '={{ $json.workspace }}' };
    const { output, sources, lines } = await run(
      'post.getAll',
      { returnAll: true, options },
      workspaces,
    );
    const own = output.flatMap((item, index) =>
      isRight(item) ? [{ item, of: sources[index]! }] : [],
    );

    expect(own.map(({ item }) => item.workspaceId)).toEqual(
      own.map(({ of }) => workspaces[of]?.workspace),
    );
    expect(own.length === 6 * 340 || lines.length > 0).toBe(true);
  });

  test.each(['account.getAll', 'agent.getAll', 'analytics.get', 'post.getAll'])(
    'takes no answer to another question: %s',
    async (name) => {
      service.sandbox.addPosts(3);
      addAgent(service.sandbox, { name: 'A', type: 'seo' });
      const alone = await run(name, {});
      service.sandbox.faults.add({ kind: 'crossed', among: 'method' });
      const others = ['account.getAll', 'agent.getAll', 'analytics.get', 'post.getAll'];
      const [crossed] = await Promise.all([
        run(name, {}),
        run(
          others.find((other) => other !== name)!,
          {},
          [{}],
        ),
      ]);

      if (crossed.output.every(isRight)) expect(crossed.output).toEqual(alone.output);
      else expect(crossed.output[0]?.details).toMatchObject({ certainty: 'failed' });
    },
  );
});

test('what differs but names the same post is a warning, in the item and above it', async () => {
  const post = { id: 7, workspaceId: 1, status: 'draft', scheduledAt: '2035-01-01T09:00:30.000Z' };
  service.sandbox.faults.add({ kind: 'status', status: 201, body: { post } });
  const parameters = {
    content: 'Hello',
    accounts: [1],
    overrides: {},
    scheduledAt: '2035-01-01T09:00',
    timeZone: 'UTC',
  };
  const { output, lines } = await run('post.create', parameters, [{}]);

  expect(output).toEqual([
    {
      error: null,
      ...post,
      due: expect.any(String) as string,
      warnings: [expect.any(String), expect.any(String)],
    },
  ]);
  expect(
    lines.filter((line) =>
      (output[0]?.warnings as string[]).includes(line.replaceAll('&quot;', '"')),
    ),
  ).toHaveLength(2);
});

test('above the output of an agent stands what came back', async () => {
  const agent = { id: 1, name: 'A', isActive: false, schedule: '5 5 * * *' };
  service.sandbox.faults.add({ kind: 'status', status: 201, body: { agent } });
  const { lines } = await run('agent.create', {}, [
    { name: 'A', active: true, schedule: '0 6 * * *' },
  ]);

  expect(lines).toContainEqual(expect.stringMatching(/^\w+ \(paused\): 5 5 \* \* \*/));
});
