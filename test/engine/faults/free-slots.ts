import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';

import { like } from '../../support/like';
import { addAccount } from '../../support/records';
import {
  callingTool,
  hintsOf,
  nodeError,
  records,
  useBakery,
  type WorkflowFixture,
} from '../harness';
import { CREATE, existing, loopOf } from './creations';
import { EVERY_DAY, itIs, minutes, queueing, slots } from './queueing';

const service = useBakery();

/** A Wednesday at noon in Berlin. */
const NOON = '2035-01-10T11:00:00Z';

const { run } = service;

const texts = (...all: string[]): IDataObject[] => all.map((text) => ({ text }));

const many = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, item) => ({ text: `Post ${item}` }));

const dueOf = (result: IRun): string[] => minutes(records(result, CREATE));

const wire = service.methods;

test('items get the next free slots in their order, with one walk through the posts', async () => {
  itIs(NOON);
  service.sandbox.addPosts(1, { scheduledAt: '2035-01-11T08:00:00.000Z' });
  service.sandbox.addPosts(198, { scheduledAt: '2034-01-01T00:00:00.000Z' });

  const result = await run(queueing(), texts('One', 'Two', 'Three'));

  expect(dueOf(result)).toEqual(['2035-01-10T16:30', '2035-01-11T16:30', '2035-01-12T08:00']);
  expect(existing(service.sandbox).slice(-3)).toEqual(['One', 'Two', 'Three']);
  expect(wire()).toEqual(['GET', 'GET', 'POST', 'POST', 'POST']);
  expect(hintsOf(result, CREATE)[0]).toMatch(
    /^3 .* 10 Jan 2035, 17:30 \(Europe\/Berlin\).* 12 Jan 2035, 09:00/,
  );
});

test('one list may hold posts with a date and posts for the next free slot', async () => {
  itIs(NOON);
  const both = { publish: 'atOrSlot', scheduledAt: '={{ $json.Date }} {{ $json.Time }}' };

  const result = await run(queueing(both), [
    { text: 'One', Date: '11.1.2035', Time: 0.75 },
    { text: 'Two', Date: '' },
    { text: 'Three', Date: null, Time: null },
    { text: 'Four', Date: '2035-01-10', Time: '17:30' },
  ]);

  expect(dueOf(result)).toEqual([
    '2035-01-11T17:00',
    '2035-01-11T08:00',
    '2035-01-11T16:30',
    '2035-01-10T16:30',
  ]);
});

test('what is sent is a post for that moment, and nothing else', async () => {
  itIs(NOON);
  await run(queueing(), texts('One'));

  expect(JSON.parse(String(service.sandbox.requests.at(-1)?.body))).toEqual({
    workspaceId: 1,
    status: 'scheduled',
    scheduledAt: '2035-01-10T16:30:00.000Z',
    variants: [{ socialAccountId: 1, content: 'One' }],
  });
});

describe('which slots are free', () => {
  test('a post of whatever status takes its slot, one that failed does not', async () => {
    itIs(NOON);
    service.sandbox.addPosts(1, { scheduledAt: '2035-01-10T16:30:00.000Z', status: 'failed' });
    service.sandbox.addPosts(1, { scheduledAt: '2035-01-11T08:00:00.000Z', status: 'draft' });

    expect(dueOf(await run(queueing(), texts('One', 'Two')))).toEqual([
      '2035-01-10T16:30',
      '2035-01-11T16:30',
    ]);
  });

  test('a post takes the moment, in whatever form the service writes it, and no other', async () => {
    itIs(NOON);
    service.sandbox.addPosts(1, { scheduledAt: '2035-01-10T17:30:00+01:00' });
    service.sandbox.addPosts(1, { scheduledAt: '2035-01-11T08:01:00.000Z' });

    expect(dueOf(await run(queueing(), texts('One')))).toEqual(['2035-01-11T08:00']);
  });

  test('a time that another item of the run asks for is not free', async () => {
    itIs(NOON);
    const mixed = queueing({
      publish: '={{ $json.at ? "at" : "slot" }}',
      scheduledAt: '={{ $json.at }}',
    });

    const result = await run(mixed, [{ text: 'One' }, { text: 'Two', at: '2035-01-10T17:30' }]);

    expect(dueOf(result)).toEqual(['2035-01-11T08:00', '2035-01-10T16:30']);
  });

  test('the posts of another workspace take none, and items of each get their own', async () => {
    itIs(NOON);
    const { store } = service.sandbox;
    store.addWorkspace('Second');
    addAccount(service.sandbox, {
      workspaceId: 2,
      platformUsername: 'second',
      displayName: 'Second',
    });
    store.addPost({
      workspaceId: 2,
      status: 'scheduled',
      scheduledAt: '2035-01-10T16:30:00.000Z',
      variants: [{ socialAccountId: 2 }],
    });
    const workspaces = queueing(
      { accounts: '={{ $json.workspace }}' },
      { workspaceId: '={{ $json.workspace }}' },
    );

    const result = await run(workspaces, [
      { text: 'One', workspace: '1' },
      { text: 'Two', workspace: '2' },
      { text: 'Three', workspace: '1' },
    ]);

    expect(dueOf(result)).toEqual(['2035-01-10T16:30', '2035-01-11T08:00', '2035-01-11T08:00']);
    expect(wire()).toEqual(['GET', 'GET', 'POST', 'POST', 'POST']);
  });

  test('items may have slots of their own', async () => {
    itIs(NOON);
    const own = queueing({
      slots: { slot: [{ days: '={{ $json.days }}', times: '={{ $json.times }}' }] },
    });

    const result = await run(own, [
      { text: 'One', days: [3, 4], times: '17:30' },
      { text: 'Two', days: '3, 4', times: '5:30pm' },
      { text: 'Three', days: [4], times: '09:00' },
    ]);

    expect(dueOf(result)).toEqual(['2035-01-10T16:30', '2035-01-11T16:30', '2035-01-11T08:00']);
  });

  test('fifty at once get fifty, one after the other', async () => {
    itIs(NOON);
    const result = await run(queueing({}, { concurrency: 24 }), many(50));

    const due = dueOf(result);
    expect(due).toEqual([...new Set(due)].sort());
    expect(due).toHaveLength(50);
    expect([due[0], due[49]]).toEqual(['2035-01-10T16:30', '2035-02-14T08:00']);
    expect(wire().filter((method) => method === 'GET')).toHaveLength(1);
  });

  test('with none in 90 days nothing is sent, and the error names the field', async () => {
    itIs(NOON);
    const daily = queueing({ slots: slots('09:00', EVERY_DAY) });

    const result = await run(daily, many(91));

    expect(nodeError(result, CREATE).message).toMatch(/^Slots .*\b90\b.* \[item 90\]$/);
    expect(wire()).toEqual(['GET']);
  });

  test('with Continue, the items that find one get theirs', async () => {
    itIs(NOON);
    const daily = queueing(
      { slots: slots('09:00', EVERY_DAY) },
      {},
      { onError: 'continueRegularOutput' },
    );

    const last = records(await run(daily, many(91)), CREATE);

    expect(last).toHaveLength(91);
    expect(last[89]).toMatchObject({ scheduledAt: '2035-04-10T07:00:00.000Z' });
    expect(last[90]).toMatchObject({ details: { certainty: 'notSent' } });
  });
});

test("without a time zone in the node, the workflow's clocks count", async () => {
  itIs(NOON);
  const workflow = queueing({ timeZone: '' });

  const result = await run(workflow, texts('One'), { timezone: 'America/New_York' });

  expect(dueOf(result)).toEqual(['2035-01-10T14:00']);
});

describe('fields', () => {
  test.each<[string, INodeParameters, string]>([
    ['no times', { slots: slots('={{ "" }}') }, 'Slots → Times 1 → Times … [item 0]'],
    [
      'a time that is none',
      { slots: slots('09:00, noonish') },
      'Slots → Times 1 → Times … "noonish"… [item 0]',
    ],
    [
      'no day',
      { slots: { slot: [{ days: '={{ [] }}', times: '09:00' }] } },
      'Slots → Times 1 → Days … [item 0]',
    ],
    [
      'a day that is none',
      { slots: { slot: [{ days: '={{ [1, 8] }}', times: '09:00' }] } },
      'Slots → Times 1 → Days … "8"… [item 0]',
    ],
  ])('%s: nothing is sent, nor read', async (_, parameters, message) => {
    const result = await run(queueing(parameters), texts('One'));

    expect(nodeError(result, CREATE).message).toMatch(like(message));
    expect(wire()).toEqual([]);
  });

  test('what is left empty keeps n8n from starting the workflow', async () => {
    for (const empty of [{}, slots(''), slots('09:00', [])]) {
      await expect(run(queueing({ slots: empty }), texts('One'))).rejects.toThrow('required');
    }
  });

  test('what holds for a fixed time alone has no effect', async () => {
    itIs(NOON);
    service.sandbox.addPosts(1, { scheduledAt: '2035-01-10T16:30:00.000Z' });

    const result = await run(queueing({}, { ifScheduled: 'fail' }), texts('One'));

    expect(dueOf(result)).toEqual(['2035-01-11T08:00']);
  });

  test('a time in Custom Body Fields wins, and no posts are read', async () => {
    itIs(NOON);
    const custom = { customBodyFields: '{ "scheduledAt": "2035-01-20T10:00:00.000Z" }' };

    const result = await run(queueing({}, custom), texts('One'));

    expect(dueOf(result)).toEqual(['2035-01-20T10:00']);
    expect(wire()).toEqual(['POST']);
  });
});

test('posts that can not be read: nothing is sent', async () => {
  service.sandbox.faults.add({ kind: 'status', status: 403, method: 'GET' });

  const result = await run(queueing(), texts('One', 'Two'));

  expect(nodeError(result, CREATE).context).toMatchObject({ certainty: 'notSent' });
  expect(wire()).toEqual(['GET']);
});

test('that posts may not have been seen is said', async () => {
  itIs(NOON);
  service.sandbox.addPosts(1, { scheduledAt: '2035-01-10T16:30:00.000Z' });
  service.sandbox.faults.add({ kind: 'wrongTotal', total: 4 });

  const result = await run(queueing(), texts('One'));

  expect(hintsOf(result, CREATE, 'warning')).toHaveLength(1);
});

describe('runs after each other and at the same time', () => {
  test('each round of a loop gets the next one', async () => {
    itIs(NOON);
    await run(loopOf(queueing()), texts('One', 'One', 'Two'));

    expect(minutes(service.sandbox.store.posts)).toEqual([
      '2035-01-10T16:30',
      '2035-01-11T08:00',
      '2035-01-11T16:30',
    ]);
  });

  test('a round that is left open keeps its slot', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const goesOn = queueing({}, {}, { onError: 'continueRegularOutput' });

    await run(loopOf(goesOn), texts('One', 'Two'));

    expect(minutes(service.sandbox.store.posts)).toEqual(['2035-01-11T08:00']);
  });

  test('executions at the same time in one n8n get different ones', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'latency', ms: 30 });
    const all = Array.from({ length: 10 }, (_, n) => run(queueing(), texts(`Post ${n}`)));

    await Promise.all(all);

    const due = minutes(service.sandbox.store.posts);
    expect(due).toHaveLength(10);
    expect(new Set(due).size).toBe(10);
    expect([...due].sort()[9]).toBe('2035-01-17T08:00');
  });

  test('a slot whose post was refused is free again', async () => {
    itIs(NOON);
    service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 1 });
    const refused = await run(queueing(), texts('One'));
    expect(nodeError(refused, CREATE).message).toContain('422');
    expect(dueOf(await run(queueing(), texts('Two')))).toEqual(['2035-01-10T16:30']);
  });
});

describe('as a tool of an AI agent', () => {
  const calling = (): WorkflowFixture => {
    const create = queueing().nodes.find(({ name }) => name === CREATE)!;
    const content = "={{ $fromAI('text', 'The text', 'string') }}";
    return callingTool({ ...create, parameters: { ...create.parameters, content } });
  };

  test('each call gets the next slot, and the same call again the same post', async () => {
    itIs(NOON);
    const result = await run(calling(), texts('One', 'Two', 'One'));

    expect(minutes(service.sandbox.store.posts)).toEqual(['2035-01-10T16:30', '2035-01-11T08:00']);
    expect(JSON.stringify(records(result, 'Caller')[2])).toContain('\\"note\\":');
  });

  test('the node as it arrives asks the model for no time', async () => {
    itIs(NOON);
    const parameters = {
      resource: 'post',
      operation: 'create',
      publish: 'slot',
      slots: slots('09:00'),
      accounts: "={{ $fromAI('accounts', ``, 'string') }}",
      content: "={{ $fromAI('text', ``, 'string') }}",
    };

    await run(callingTool({ parameters }), [{ text: 'One', media_urls: '', accounts: 'x' }], {
      timezone: 'UTC',
    });

    expect(minutes(service.sandbox.store.posts)).toEqual(['2035-01-11T09:00']);
  });
});
