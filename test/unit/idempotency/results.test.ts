import { GRAINS, type Intent } from '../../../nodes/SocialPublishing/idempotency/intent';
import {
  type About,
  type Asking,
  type Done,
  Results,
} from '../../../nodes/SocialPublishing/idempotency/results';
import { intentFor, type Says } from './intents';

const resultsOf = (flow: object, asking: Partial<Asking> = {}) =>
  new Results(flow as ConstructorParameters<typeof Results>[0], {
    node: 'node',
    run: 0,
    execution: '1',
    isTool: false,
    ...asking,
  });

const about = (intent: Intent, grains: readonly (typeof GRAINS)[number][] = GRAINS): About => ({
  item: intent.item,
  destination: intent.destination,
  entry: Object.fromEntries(grains.map((grain) => [grain, intent.grains[grain]])),
  number: 0,
  attempts: 0,
  text: intent.text,
  full: intent.grains.full,
  key: 'key',
});

const done = (id: number): Done => ({ state: 'done', record: { id }, quota: {} });

const A: Says = { text: 'a', at: 1 };
const a = intentFor(0, A);
const b = intentFor(1, { text: 'b', at: 2 });
const elsewhere = intentFor(0, { ...A, workspaceId: 2 });
const open = { state: 'open', sentAt: 1, endedAt: 2, message: 'No response came' } as const;

test('are known to the same run, whatever n8n does to keep them', () => {
  const flow = {};
  resultsOf(flow).keep(about(a), done(12));
  const later = resultsOf(JSON.parse(JSON.stringify(flow)) as object);

  expect(later.find({ item: 0, destination: a.destination, full: a.grains.full })).toMatchObject({
    state: 'done',
    record: { id: 12 },
  });
  expect(later.find({ item: 1, destination: a.destination, full: a.grains.full })).toBeUndefined();
  expect(
    later.find({ item: 0, destination: elsewhere.destination, full: elsewhere.grains.full }),
  ).toBeUndefined();
  expect(later.findAnywhere(0)).toMatchObject({ record: { id: 12 } });
  expect(
    resultsOf(flow, { run: 1 }).find({ item: 0, destination: a.destination, full: a.grains.full }),
  ).toBeUndefined();
  expect(resultsOf(flow, { run: 1 }).findAnywhere(0)).toBeUndefined();
  expect(
    resultsOf(flow, { node: 'other' }).find({
      item: 0,
      destination: a.destination,
      full: a.grains.full,
    }),
  ).toBeUndefined();
});

test('of all nodes and runs are told by destination', () => {
  const flow = {};
  resultsOf(flow).keep(about(a), done(12));
  resultsOf(flow, { run: 3 }).keep(about(b), open);
  resultsOf(flow, { node: 'other' }).keep(about(a), done(13));
  resultsOf(flow).keep(about(elsewhere), done(14));
  const all = resultsOf(flow, { node: 'other' }).at(a.destination);

  expect(all.map((one) => (one.state === 'done' ? one.record.id : 'open'))).toEqual([
    12,
    'open',
    13,
  ]);
  expect(all.filter((one) => resultsOf(flow, { node: 'other' }).isOwn(one))).toHaveLength(1);
});

test('count for the log once each, by what they account for', () => {
  const flow = {};
  const results = resultsOf(flow);
  results.keep(about(a), open);
  results.keep(about(a), done(12));
  results.keep(about(b, ['content', 'any']), open);
  const counts = (of: Results) =>
    [a.grains.full, b.grains.full]
      .map((full) => of.accounted('full', full))
      .concat(of.accounted('content', b.grains.content), of.accounted('any', a.grains.any));

  expect(counts(results)).toEqual([1, 0, 1, 2]);
  expect(counts(resultsOf(flow))).toEqual([1, 0, 1, 2]);
  expect(counts(resultsOf(flow, { node: 'other' }))).toEqual([0, 0, 0, 0]);
  results.forget({ item: 0, destination: a.destination, full: a.grains.full });
  results.forget({ item: 0, destination: a.destination, full: a.grains.full });
  expect(counts(results)).toEqual([0, 0, 1, 1]);
});

describe('what another run left open', () => {
  const later = { ...A, at: 99, media: 'other.png' };

  test('is known by its words alone, media and time aside', () => {
    const flow = {};
    resultsOf(flow).keep(about(a), open);

    expect(resultsOf(flow, { run: 1 }).openElsewhere(intentFor(0, later).text)).toMatchObject(open);
    expect(resultsOf(flow, { run: 1 }).openElsewhere(b.text)).toBeUndefined();
    expect(resultsOf(flow).openElsewhere(a.text)).toBeUndefined();
  });

  test('is nothing that was carried out, or that the log tells of', () => {
    const flow = {};
    resultsOf(flow).keep(about(a), done(12));
    resultsOf(flow, { run: 1 }).keep(about(a), { state: 'open' });

    expect(resultsOf(flow, { run: 2 }).openElsewhere(a.text)).toBeUndefined();
  });
});

describe('a tool', () => {
  const tool = { isTool: true };

  test('knows its calls by what they say, also those of an earlier try', () => {
    const flow = {};
    resultsOf(flow, tool).keep(about(a), done(12));

    expect(resultsOf(flow, { ...tool, run: 5 }).sameCall(a.grains.full)).toMatchObject({
      record: { id: 12 },
    });
    expect(resultsOf(flow, tool).sameCall(b.grains.full)).toBeUndefined();
  });

  test('that starts over keeps what it wrote before beside what it writes now', () => {
    const flow = {};
    resultsOf(flow, tool).keep(about(a), done(12));
    const again = resultsOf(flow, { ...tool, execution: '2' });
    again.keep(about(b), done(13));

    expect(again.at(a.destination)).toHaveLength(2);
  });

  test('leaves open for the log what an earlier try wrote, until the agent asks for it', () => {
    const flow = {};
    resultsOf(flow, tool).keep(about(a), done(12));
    const again = resultsOf(flow, { ...tool, execution: '2' });
    expect(again.accounted('any', a.grains.any)).toBe(0);

    again.claim(again.sameCall(a.grains.full)!);
    again.claim(again.sameCall(a.grains.full)!);
    expect(again.accounted('any', a.grains.any)).toBe(1);
    expect(resultsOf(flow, { ...tool, execution: '3' }).accounted('any', a.grains.any)).toBe(0);
  });
});

test('what n8n or another node has put in their place is nothing', () => {
  const flow = {
    socialPublishing: {
      results: { node: { '0:0:x': { state: 'done' }, '0:1:x': 'text' }, other: 5 },
    },
  };

  expect(resultsOf(flow).at('x')).toEqual([]);
  expect(resultsOf({ socialPublishing: 'text' }).at('x')).toEqual([]);
});
