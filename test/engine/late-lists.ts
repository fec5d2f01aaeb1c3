import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { SLOT_KEPT_MS } from '../../nodes/SocialPublishing/run/slotsInUse';
import { CREATE, creatingPosts } from './faults/creations';
import { itIs, minutes, queueing } from './faults/queueing';
import { nodeError, records, useBakery, withParameters, type WorkflowFixture } from './harness';

const service = useBakery();

const NOON = '2035-01-10T11:00:00Z';
const NINE = '2035-01-11T08:00:00.000Z';
const FREE = ['2035-01-10T16:30', '2035-01-11T08:00', '2035-01-11T16:30'];

const run = (workflow: WorkflowFixture, ...input: IDataObject[]) => service.run(workflow, input);

const at = (scheduledAt: string, options: INodeParameters = {}): WorkflowFixture =>
  withParameters(creatingPosts({}, options), CREATE, { scheduledAt, timeZone: 'UTC' });

const due = (): string[] => minutes(service.sandbox.store.posts).sort();

/** Some time passes for what n8n remembers. */
function passes(milliseconds: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
}

beforeEach(() => {
  itIs(NOON);
  service.sandbox.faults.add({ kind: 'lateList', ms: 3_000 });
});

describe('posts that a list shows after three seconds', () => {
  test('keep their slots from the next run', async () => {
    for (const text of ['One', 'Two', 'Three']) await run(queueing(), { text });

    expect(due()).toEqual(FREE);
  });

  test('keep their slots from a run at the same time', async () => {
    service.sandbox.faults.add({ kind: 'latency', ms: 30 });
    await Promise.all(['One', 'Two', 'Three'].map((text) => run(queueing(), { text })));

    expect(due()).toEqual(FREE);
  });

  test('keep the slot that a date gave them', async () => {
    await run(at(NINE), { text: 'One' });
    await run(queueing(), { text: 'Two' });
    await run(queueing(), { text: 'Three' });

    expect(due()).toEqual(FREE);
  });

  test('are found by what they say', async () => {
    const [created] = records(await run(at(NINE), { text: 'One' }), CREATE);
    const skipping = await run(at(NINE, { ifScheduled: 'skip' }), { text: 'One' });
    const failing = await run(at(NINE, { ifScheduled: 'fail' }), { text: 'One' });

    expect(records(skipping, CREATE)).toMatchObject([{ id: created?.id, alreadyScheduled: true }]);
    expect(nodeError(failing, CREATE).context).toMatchObject({ code: 'samePost' });
    expect(due()).toHaveLength(1);
  });

  test('may be those that were left open', async () => {
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1, processed: true });
    await run(queueing(), { text: 'One' });
    await run(queueing(), { text: 'Two' });

    expect(due()).toEqual(FREE.slice(0, 2));
  });
});

test('of executions at the same time, one creates the same post', async () => {
  service.sandbox.faults.add({ kind: 'latency', ms: 30 });
  const going = [1, 2, 3].map(() => run(at(NINE, { ifScheduled: 'skip' }), { text: 'One' }));
  const ends = await Promise.all(going);
  const errors = ends.flatMap((end) => (end.data.resultData.error ? [nodeError(end, CREATE)] : []));

  expect(due()).toHaveLength(1);
  expect(errors.map(({ context }) => context)).toMatchObject([
    { code: 'wanted', certainty: 'uncertain' },
    { code: 'wanted', certainty: 'uncertain' },
  ]);
  const again = await run(at(NINE, { ifScheduled: 'skip' }), { text: 'One' });
  expect(records(again, CREATE)).toMatchObject([{ alreadyScheduled: true }]);
});

test('a slot is free again some minutes after its post was deleted', async () => {
  await run(queueing(), { text: 'One' });
  service.sandbox.store.removePost(1, 1);
  await run(queueing(), { text: 'Two' });
  passes(SLOT_KEPT_MS + 1_000);
  const result = await run(queueing(), { text: 'Three' });

  expect(due()).toContain(FREE[1]);
  expect(minutes(records(result, CREATE))).toEqual([FREE[0]]);
});
