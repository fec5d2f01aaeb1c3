import type { IDataObject, INodeParameters, IRun, IRunExecutionData } from 'n8n-workflow';

import { REQUEST_LIFETIME_MS } from '../../../nodes/SocialPublishing/run/tolerances';
import { nodeError, records, retried, useBakery, type WorkflowFixture } from '../harness';
import { claimsOf, CREATE, existing } from './creations';
import { killed as killedIn, retry as retryIn, startOf, withItems, withSaved } from './executions';
import { EVERY_DAY, itIs, minutes, queueing, slots } from './queueing';

/** What becomes of slots when an execution is interrupted and retried. */

const service = useBakery();

const NOON = '2035-01-10T11:00:00Z';

/** The slots from then on. */
const [FIRST, SECOND, THIRD, FOURTH] = [
  '2035-01-10T16:30',
  '2035-01-11T08:00',
  '2035-01-11T16:30',
  '2035-01-12T08:00',
];

const texts = (...all: string[]): IDataObject[] => all.map((text) => ({ text }));

const { run } = service;

const killed = (workflow: WorkflowFixture, given: readonly IDataObject[], after: number) =>
  killedIn(service.sandbox, workflow, given, after);

const retry = (workflow: WorkflowFixture, from: IRunExecutionData): Promise<IRun> =>
  retryIn(service.sandbox, workflow, from);

/** The Retry of an execution that failed, with the workflow as it was saved since. */
const retryOf = (failed: IRun, workflow: WorkflowFixture): Promise<IRun> =>
  retry(workflow, withSaved(workflow, retried(failed)));

const due = (): string[] => minutes(service.sandbox.store.posts);

/** The times of all posts that were asked for, also of those that were not created. */
const asked = (): unknown[] =>
  service.sandbox.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (JSON.parse(String(body)) as IDataObject).scheduledAt);

describe('a killed execution is retried', () => {
  test('what exists is not created again, and each post has a slot of its own', async () => {
    itIs(NOON);
    const workflow = queueing();
    const start = await killed(workflow, texts('One', 'Two', 'Three'), 1);
    const existed = due();
    const changed = withItems(start, texts('New', 'One', 'Two', 'Three'));
    const result = await retry(workflow, changed);

    expect(existed.length).toBeLessThan(3);
    expect(new Set(due()).size).toBe(due().length);
    expect(existing(service.sandbox)).toContain('New');
    expect(new Set(existing(service.sandbox)).size).toBe(existing(service.sandbox).length);
    expect(claimsOf(result, CREATE)).toMatchObject({ notCreated: [] });
  });

  test('Look creates none twice', async () => {
    const workflow = queueing({}, { uncertain: 'look' });
    const start = await killed(workflow, texts('One', 'Two', 'Three'), 1);
    const result = await retry(workflow, start);

    expect(new Set(existing(service.sandbox)).size).toBe(existing(service.sandbox).length);
    expect(claimsOf(result, CREATE).notCreated).toEqual([]);
  });

  test('two Retries at once create what is new once, each in a slot of its own', async () => {
    itIs(NOON);
    const workflow = queueing();
    const start = await killed(workflow, texts('One'), 1);
    const changed = withItems(start, texts('One', 'Two', 'Three'));
    await Promise.all([retry(workflow, changed), retry(workflow, changed)]);

    expect(existing(service.sandbox)).toEqual(['One', 'Two', 'Three']);
    expect(new Set(due()).size).toBe(3);
  });
});

describe('an execution that failed is retried', () => {
  test('what was created is returned, and what was refused gets the next slots', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', after: 1, times: 1 });
    const workflow = queueing();
    const failed = await run(workflow, texts('One', 'Two', 'Three'));
    expect(nodeError(failed, CREATE).message).toContain('422');
    const result = await retryOf(failed, workflow);

    expect(minutes(records(result, CREATE))).toEqual([FIRST, SECOND, THIRD]);
    expect(existing(service.sandbox)).toEqual(['One', 'Two', 'Three']);
  });

  test('a Retry in which all is there reads no posts', async () => {
    itIs(NOON);
    const workflow = queueing();
    const done = await run(workflow, texts('One'));
    const from = startOf(workflow, texts('One'));
    from.executionData!.contextData = structuredClone(done.data.executionData!.contextData);
    service.sandbox.clearRequests();
    const result = await retry(workflow, from);

    expect(records(result, CREATE)).toMatchObject([{ id: 1 }]);
    expect(service.sandbox.requests).toEqual([]);
  });

  test('what was left open is held with its time, and its slot is nobody else’s', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const workflow = queueing();
    const failed = await run(workflow, texts('One', 'Two'));
    const result = await retryOf(failed, workflow);

    expect(due()).toEqual([SECOND]);
    expect(existing(service.sandbox)).toEqual(['Two']);
    expect(claimsOf(result, CREATE)).toMatchObject({ uncertain: [0], notCreated: [] });
    expect(nodeError(result, CREATE).description).toContain(`${FIRST}:00.000Z`);
  });

  test('no other execution gets that slot, until no request for it can be on its way', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    await run(queueing(), texts('One'));
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    await run(queueing(), texts('Two'));
    clock.mockReturnValue(now + REQUEST_LIFETIME_MS + 100);
    await run(queueing(), texts('Three'));

    expect(due()).toEqual([SECOND, FIRST]);
  });

  test('with Send Again, it goes out for the slot that it had', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const failed = await run(queueing(), texts('One', 'Two'));
    const result = await retryOf(failed, queueing({}, { uncertain: 'send' }));

    expect(minutes(records(result, CREATE))).toEqual([FIRST, SECOND]);
    expect(asked()).toEqual([FIRST, FIRST, SECOND].map((time) => `${time}:00.000Z`));
  });

  test('with Send Again after its slot has passed, it goes out in the next free one', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const failed = await run(queueing(), texts('One', 'Two'));
    jest.restoreAllMocks();
    itIs('2035-01-11T08:30:00Z');
    const result = await retryOf(failed, queueing({}, { uncertain: 'send' }));

    expect(minutes(records(result, CREATE))).toEqual([THIRD, FOURTH]);
  });

  test('with Send Again and no slot left, it is told as what may exist', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const failed = await run(queueing(), texts('One'));
    jest.restoreAllMocks();
    itIs('2035-01-11T08:30:00Z');
    service.sandbox.faults.add({ kind: 'status', status: 403, method: 'GET' });
    const result = await retryOf(failed, queueing({}, { uncertain: 'send' }));

    expect(nodeError(result, CREATE).context).toMatchObject({ certainty: 'uncertain' });
    expect(claimsOf(result, CREATE).uncertain).toEqual([0]);
  });
});

describe('Look', () => {
  const looking = (parameters: INodeParameters = {}): WorkflowFixture =>
    queueing({ slots: slots('09:00, 17:30', EVERY_DAY), ...parameters }, { uncertain: 'look' });

  test('finds the post of a slot whose response was lost', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, method: 'POST', times: 1 });
    const result = await run(looking(), texts('One', 'Two'));

    expect(records(result, CREATE).map(({ id }) => id)).toEqual([1, 2]);
    expect(asked()).toHaveLength(2);
  });

  test('sends what is certainly missing once more, for the same slot', async () => {
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const result = await run(looking(), texts('One', 'Two'));

    expect(records(result, CREATE)).toHaveLength(2);
    const [first, , again] = asked();
    expect(again).toBe(first);
    expect(new Set(due()).size).toBe(2);
  });

  test('in the Retry of an execution that failed, also where the workflow has other slots by then', async () => {
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const failed = await run(queueing(), texts('One'));
    const [first] = asked();
    const result = await retryOf(failed, looking({ slots: slots('10:00, 11:00') }));

    expect(records(result, CREATE)).toMatchObject([{ scheduledAt: first }]);
    expect(asked()).toEqual([first, first]);
  });
});
