import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { loopOf } from '../../test/engine/faults/creations';
import {
  readWorkflow,
  withNode,
  withParameters,
  type WorkflowFixture,
} from '../../test/engine/harness';
import { addAccount } from '../../test/support/records';
import type { Growing } from './growth';

/** A workflow with what it needs: all that is made before a run is measured. */
export interface Prepared {
  readonly service: Sandbox;
  readonly workflow: WorkflowFixture;
  readonly input: IDataObject[];
}

const NEVER = '2034-01-01T00:00:00.000Z';
const LATER = '2035-01-01T09:00:00.000Z';

/**
 * What grows in the tables of `npm run bench:growth`.
 *
 * @param runs how a workflow is run
 */
export function inputs(runs: (prepared: Prepared) => Promise<() => Promise<unknown>>): {
  all: Growing[];
  close: () => Promise<void>;
} {
  let sandbox: Sandbox | undefined;

  const fresh = async (): Promise<Sandbox> => {
    await sandbox?.close();
    sandbox = await startSandbox({ seed: false, requestLogSize: 1 });
    for (const key of sandbox.store.keys) key.usage.used = -1e9;
    addAccount(sandbox);
    return sandbox;
  };
  const repeated = (count: number, json: (index: number) => IDataObject): IDataObject[] =>
    Array.from({ length: count }, (_, index) => json(index));

  /** A run of one node, after the sandbox was filled. */
  const node = async (
    name: string,
    parameters: INodeParameters,
    input: IDataObject[],
    {
      fill = () => undefined,
      settings = {},
    }: { fill?: (service: Sandbox) => unknown; settings?: Partial<INode> } = {},
  ) => {
    const service = await fresh();
    fill(service);
    const workflow = readWorkflow(name);
    const last = String(workflow.nodes.at(-1)?.name);
    const going = withNode(withParameters(workflow, last, parameters), last, settings);
    return await runs({ service, workflow: going, input });
  };

  const post = (more: INodeParameters = {}): INodeParameters => ({
    content: 'Hello',
    mediaUrls: '',
    accounts: [1],
    overrides: {},
    publish: 'at',
    scheduledAt: LATER,
    ...more,
  });
  const goOn = { settings: { onError: 'continueRegularOutput' as const } };
  const posts = (count: number) => (service: Sandbox) =>
    service.addPosts(count, { scheduledAt: NEVER });
  const accounts = (count: number) => (service: Sandbox) => {
    for (let index = 1; index < count; index++) {
      service.store.addAccount({
        workspaceId: 1,
        platform: 'instagram',
        platformUsername: `shop${index}`,
        displayName: `Shop ${index}`,
      });
    }
  };

  const all: Growing[] = [
    {
      name: 'Items created',
      sizes: [10, 100, 1000],
      prepare: (size) =>
        node(
          'post.create',
          post(),
          repeated(size, () => ({})),
        ),
    },
    {
      name: 'Items refused, going on',
      sizes: [100, 1000, 10_000],
      prepare: (size) =>
        node(
          'post.create',
          post({ content: '={{ $json.text }}', accounts: '={{ [$json.account] }}' }),
          repeated(size, (index) => ({ text: `${index}`, account: -index - 1 })),
          goOn,
        ),
    },
    {
      name: 'Items refused, stopping',
      sizes: [100, 1000, 10_000],
      prepare: (size) =>
        node(
          'post.create',
          post({ accounts: '={{ [$json.account] }}' }),
          repeated(size, (index) => ({ account: index % 2 === 0 ? -index - 1 : 1 })),
        ),
    },
    {
      name: 'Items previewed in the next free slot',
      sizes: [10, 100, 1000],
      prepare: (size) =>
        node(
          'post.preview',
          post({
            publish: 'slot',
            slots: {
              slot: [
                {
                  days: [1, 2, 3, 4, 5, 6, 7],
                  times:
                    '09:00, 10:00, 11:00, 12:00, 13:00, 14:00, 15:00, 16:00, 17:00, 18:00, 19:00, 20:00',
                },
              ],
            },
            options: { checkMediaUrls: false },
          }),
          repeated(size, () => ({})),
        ),
    },
    {
      name: 'Posts in the workspace, compared by time',
      sizes: [100, 1000, 10_000],
      prepare: (size) =>
        node('post.create', post({ options: { ifScheduled: 'skip' } }), [{}], {
          fill: posts(size),
        }),
    },
    {
      name: 'Posts read',
      sizes: [100, 1000, 10_000],
      prepare: (size) => node('post.getAll', { returnAll: true }, [{}], { fill: posts(size) }),
    },
    {
      name: 'Accounts in the workspace, one named',
      sizes: [100, 1000, 10_000],
      prepare: (size) =>
        node('post.create', post({ accounts: '={{ "@shop7" }}' }), [{}], { fill: accounts(size) }),
    },
    {
      name: 'Names in Accounts',
      sizes: [2, 20, 200],
      prepare: (size) =>
        node(
          'post.create',
          post({
            accounts: `={{ "${repeated(size, (index) => ({ index }))
              .map(({ index }) => `@shop${Number(index) + 1}`)
              .join(', ')}" }}`,
          }),
          [{}],
          { ...goOn, fill: accounts(201) },
        ),
    },
    {
      name: 'Characters of a text',
      sizes: [1000, 10_000, 100_000],
      prepare: (size) =>
        node(
          'post.preview',
          post({ content: '={{ $json.text }}', options: { checkMediaUrls: false } }),
          [{ text: 'Fresh bread at https://example.com/a #bread @you 🍞 '.repeat(size / 50) }],
        ),
    },
    {
      name: 'Characters in Date and Time',
      sizes: [50, 500, 5000],
      prepare: (size) =>
        node(
          'post.create',
          post({ scheduledAt: '={{ $json.at }}' }),
          [{ at: 'to be decided by the team, perhaps soon or later '.repeat(size / 50) }],
          goOn,
        ),
    },
    {
      name: 'Different warnings',
      sizes: [10, 100, 1000],
      prepare: (size) =>
        node(
          'post.create',
          post({ mediaUrls: '=https://drive.google.com/file/d/{{ $json.file }}/view' }),
          repeated(size, (index) => ({
            file: `f${String.fromCharCode(97 + (index % 26))}${index}`,
          })),
        ),
    },
    {
      name: 'Rounds of a loop with one post each',
      sizes: [10, 100, 1000],
      prepare: async (size) => {
        const service = await fresh();
        const looping = loopOf(withParameters(readWorkflow('post.create'), 'Create post', post()));
        return await runs({ service, workflow: looping, input: repeated(size, () => ({})) });
      },
    },
  ];
  return { all, close: async () => await sandbox?.close() };
}
