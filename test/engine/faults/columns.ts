import type { IDataObject, IRun } from 'n8n-workflow';

import type { FaultRule, Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { addAccount, addAgent } from '../../support/records';
import type { WorkflowFixture } from '../harness';
import { credentialsOf, readWorkflow, records, runWorkflow, withParameters } from '../harness';
import { claimsOf, CREATE, creatingPosts, falseClaims, oneAfterTheOther, posts } from './creations';
import { queueing } from './queueing';

/** Brings trouble to a service that lets `after` requests pass first, `times` times at most. */
export type Trouble = (sandbox: Sandbox, when: Pick<FaultRule, 'after' | 'times'>) => void;

/** One column of the table: an operation, and how it is run. */
export interface Column {
  readonly name: string;
  readonly kind: 'read' | 'page' | 'write' | 'third' | 'again';
  readonly node: string;
  readonly workflow: WorkflowFixture;
  readonly input: IDataObject[];
  /** How many records there are to read or to write. */
  readonly records: number;
  /** How many requests go well before the trouble. */
  readonly after: number;
  /** How many requests it makes beside those that rows tell of. */
  readonly more?: number;
}

const read = (name: string, node: string, count: number) => ({
  name,
  kind: 'read' as const,
  node,
  workflow: withParameters(readWorkflow(name), node, { returnAll: true }),
  input: [{ period: '30d' }],
  records: count,
  after: 0,
});

const write = { kind: 'write', records: 1, after: 0 } as const;

const third = {
  kind: 'third',
  node: CREATE,
  input: posts(5),
  records: 5,
  after: 2,
} as const;

/** The columns of the table. */
export const columns: readonly Column[] = [
  read('account.getAll', 'Get accounts', 1),
  read('agent.getAll', 'Get agents', 2),
  read('analytics.get', 'Get analytics', 1),
  read('post.getAll', 'Get posts', 3),
  {
    ...read('post.getAll', 'Get posts', 3),
    name: 'page 2 of 2',
    kind: 'page',
    workflow: withParameters(readWorkflow('post.getAll'), 'Get posts', {
      returnAll: true,
      options: { pageSize: 2 },
    }),
    after: 1,
  },
  {
    ...write,
    name: 'agent.create',
    node: 'Save agent',
    workflow: readWorkflow('agent.create'),
    input: [{ name: 'Morning Ideas', schedule: '0 6 * * *', active: true }],
  },
  {
    ...write,
    name: 'post.create',
    node: CREATE,
    workflow: creatingPosts(),
    input: posts(1),
  },
  {
    ...write,
    name: 'in a free slot',
    node: CREATE,
    workflow: queueing(),
    input: posts(1),
    after: 1,
    more: 1,
  },
  { ...third, name: 'post 3 of 5', workflow: creatingPosts({}, oneAfterTheOther) },
  {
    ...third,
    name: 'Retry On Fail',
    kind: 'again',
    workflow: creatingPosts(
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
      oneAfterTheOther,
    ),
  },
];

/** What came of an operation in trouble. */
export interface Cell {
  /** What comes of it: the code of the failure, or how many records. */
  readonly sees: string;
  /** What the error of a write says of its items. */
  readonly claims: string;
  readonly requests: number;
  /** How many posts and agents there are at the service that weren't there before. */
  readonly exists: number;
  /** What the node says that isn't so. */
  readonly falseClaims: string[];
}

const told = (run: IRun, node: string): Pick<Cell, 'sees' | 'claims'> => {
  const error = run.data.resultData.runData[node]?.at(-1)?.error;
  if (error === undefined) return { sees: `${records(run, node).length} records`, claims: '' };
  const { created, uncertain, notCreated } = claimsOf(run, node);
  const claims = [
    ['created', [...created.keys()]],
    ['uncertain', uncertain],
    ['not created', notCreated],
  ] as const;
  return {
    sees: error.context.code as string,
    claims: claims
      .flatMap(([what, items]) => (items.length === 0 ? [] : [`${what} ${items.join()}`]))
      .join('; '),
  };
};

const countOf = ({ store }: Sandbox): number => store.posts.length + store.agents.length;

function fill(sandbox: Sandbox, { kind }: Column): void {
  addAccount(sandbox);
  if (kind !== 'read' && kind !== 'page') return;
  sandbox.addPosts(3);
  for (const name of ['Morning Ideas', 'Evening Replies']) {
    addAgent(sandbox, { workspaceId: sandbox.workspaceId, name });
  }
}

/** Runs the operation of a column against a sandbox of its own in which there is trouble. */
export async function runCell(column: Column, trouble: Trouble): Promise<Cell> {
  const { kind, node, workflow, input, after } = column;
  const sandbox = await startSandbox({ seed: false });
  try {
    fill(sandbox, column);
    const before = countOf(sandbox);
    trouble(sandbox, { after, ...(kind === 'again' && { times: 1 }) });
    const run = await runWorkflow(workflow, { credentials: credentialsOf(sandbox), input });
    return {
      ...told(run, node),
      requests: sandbox.requests.length,
      exists: countOf(sandbox) - before,
      falseClaims:
        kind === 'read' || kind === 'page' ? [] : falseClaims(run, node, sandbox, input.length),
    };
  } finally {
    await sandbox.close();
  }
}
