import type {
  JournalWrite,
  Known,
  WriteRecord,
} from '../../../nodes/SocialPublishing/idempotency/journal';
import { Recording } from '../../../nodes/SocialPublishing/idempotency/recording';

/** A journal that says of each write what a test wants it to. */
class Journal implements WriteRecord {
  readonly problem = undefined;
  readonly isRetry = false;
  readonly lastEarlierSend = 0;

  /** The contents of the writes that were put on record together, and what was taken off again. */
  readonly begun: string[][] = [];
  readonly undone: string[] = [];

  constructor(
    private readonly knowing: (content: string) => Known | undefined = () => 'new',
    private readonly onBegin: (onRecord: number) => void = () => undefined,
  ) {}

  begin(writes: readonly JournalWrite[]): Promise<Known[] | undefined> {
    this.begun.push(writes.map(({ content }) => content));
    this.onBegin(this.begun.flat().length);
    const known = writes.map(({ content }) => this.knowing(content));
    return Promise.resolve(known.includes(undefined) ? undefined : (known as Known[]));
  }

  undo(writes: readonly JournalWrite[]): Promise<void> {
    this.undone.push(...writes.map(({ content }) => content));
    return Promise.resolve();
  }

  mark(): Promise<void> {
    return Promise.resolve();
  }
}

/** Writes of the items 0, 10, 20, … */
const writesOf = (count: number) =>
  Array.from({ length: count }, (_, place) => {
    const write = { slot: `slot ${place}`, content: `content ${place}` };
    return [10 * place, write] as const;
  });

/** Lets everything go on that can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a large run is put on record in groups that grow with what has gone out', async () => {
  const journal = new Journal();
  const recording = new Recording(journal, writesOf(500));
  for (let place = 0; place < 500; place++) {
    expect(await recording.before(10 * place)).toBe('new');
    recording.start();
    recording.end();
  }

  expect(journal.begun.map(({ length }) => length)).toEqual([
    8, 8, 8, 12, 18, 27, 40, 60, 64, 64, 64, 64, 63,
  ]);
  expect(journal.begun.flat()).toEqual(writesOf(500).map(([, { content }]) => content));
});

test('what is on record but has not gone out is at most 15, then half of what has and 10, then 71', async () => {
  let started = 0;
  const ahead: Array<[started: number, ahead: number]> = [];
  const journal = new Journal(undefined, (onRecord) => ahead.push([started, onRecord - started]));
  const recording = new Recording(journal, writesOf(500));
  const all = writesOf(500).map(async ([item]) => {
    await recording.before(item);
    await settled();
    started++;
    recording.start();
    recording.end();
  });
  await Promise.all(all);

  for (const [started, waiting] of ahead) {
    expect(waiting).toBeLessThanOrEqual(Math.min(Math.max(15, started / 2 + 10.5), 71));
  }
});

test('a group waits until its turn is near, and a write that needs no request counts, too', async () => {
  const journal = new Journal();
  const recording = new Recording(journal, writesOf(20));
  const first = recording.before(0);
  const later = recording.before(80);
  await settled();
  expect(journal.begun).toHaveLength(1);
  await first;

  recording.end();
  await later;
  expect(journal.begun.map(([content]) => content)).toEqual(['content 0', 'content 8']);
});

test('each write is told what was known of it', async () => {
  const knowing = (content: string): Known => (content === 'content 9' ? 'same' : 'new');
  const recording = new Recording(new Journal(knowing), writesOf(10));
  recording.start();
  recording.start();

  expect(await recording.before(80)).toBe('new');
  expect(await recording.before(90)).toBe('same');
});

test('nothing is known where the record cannot be read, and what is not to be sent is new', async () => {
  const recording = new Recording(new Journal(() => undefined), writesOf(1));

  expect(await recording.before(0)).toBeUndefined();
  expect(await recording.before(5)).toBe('new');
});

test('what was put on record in vain is taken off in the end, and nothing else', async () => {
  const knowing = (content: string): Known => (content === 'content 2' ? 'other' : 'new');
  const journal = new Journal(knowing);
  const recording = new Recording(journal, writesOf(20));
  await recording.before(0);
  await recording.close((item) => item === 10);

  expect(journal.undone).toEqual([0, 3, 4, 5, 6, 7].map((place) => `content ${place}`));
});

test('what is being put on record is waited for before it is taken off', async () => {
  const journal = new Journal();
  const begin = journal.begin.bind(journal);
  journal.begin = async (writes) => {
    await settled();
    return await begin(writes);
  };
  const recording = new Recording(journal, writesOf(3));
  void recording.before(0);
  await recording.close(() => false);

  expect(journal.undone).toEqual(['content 0', 'content 1', 'content 2']);
});

test('no write waits that is on record already', async () => {
  const recording = new Recording(new Journal(), writesOf(40));
  for (let place = 0; place < 17; place++) recording.start();
  // Places 24 to 35 are one group.
  await recording.before(240);

  expect(await recording.before(350)).toBe('new');
});
