import { Scheduler } from '../../sandbox/time/scheduler';

const start = Date.parse('2030-01-01T00:00:00Z');
const day = 24 * 60 * 60 * 1000;

let scheduler: Scheduler;
let ran: string[];

beforeEach(() => {
  jest.useFakeTimers({ now: start });
  scheduler = new Scheduler();
  ran = [];
});

afterEach(() => {
  scheduler.close();
  jest.useRealTimers();
});

function addTask(name: string, at: number) {
  return scheduler.at(at, () => ran.push(`${name} ${Date.now() - start}`));
}

test('runs tasks at their time, and in the order they were added when the time is the same', () => {
  addTask('c', start + 300);
  addTask('a', start + 100);
  addTask('b1', start + 200);
  addTask('b2', start + 200);
  jest.advanceTimersByTime(99);
  expect(ran).toEqual([]);
  jest.advanceTimersByTime(1_000);
  expect(ran).toEqual(['a 100', 'b1 200', 'b2 200', 'c 300']);
});

test('uses a single timer, and none without tasks', () => {
  for (let n = 1; n <= 100; n += 1) addTask(String(n), start + n);
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(100);
  expect(ran).toHaveLength(100);
  expect(jest.getTimerCount()).toBe(0);
});

test('runs a past task at once, but after the caller', () => {
  addTask('past', start - 5_000);
  expect(ran).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(ran).toHaveLength(1);
});

test('waits longer than a Node.js timer can', () => {
  addTask('far', start + 100 * day);
  jest.advanceTimersByTime(100 * day - 1);
  expect(ran).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(ran).toEqual([`far ${100 * day}`]);
});

test('a task that adds itself again does not block others', () => {
  let turns = 0;
  const again = () => {
    turns += 1;
    jest.setSystemTime(Date.now() + 5);
    scheduler.at(Date.now(), again);
  };
  scheduler.at(start, again);
  jest.advanceTimersToNextTimer();
  expect(turns).toBe(1);
});

test('a cancelled task does not run', () => {
  const cancel = addTask('a', start + 100);
  addTask('b', start + 100);
  cancel();
  jest.advanceTimersByTime(100);
  expect(ran).toEqual(['b 100']);
});

test('nothing runs after it is closed', () => {
  addTask('a', start + 100);
  scheduler.at(start + 50, () => scheduler.close());
  addTask('b', start + 50);
  jest.advanceTimersByTime(day);
  expect(ran).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});
