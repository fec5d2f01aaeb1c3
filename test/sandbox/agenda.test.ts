import { Agenda } from '../../sandbox/agenda';

const start = Date.parse('2030-01-01T00:00:00Z');
const day = 24 * 60 * 60 * 1000;

let agenda: Agenda;
let ran: string[];

beforeEach(() => {
  jest.useFakeTimers({ now: start });
  agenda = new Agenda();
  ran = [];
});

afterEach(() => {
  agenda.close();
  jest.useRealTimers();
});

function note(name: string, at: number) {
  return agenda.at(at, () => ran.push(`${name} ${Date.now() - start}`));
}

test('runs everything at its time, what is due together in the order it was noted', () => {
  note('c', start + 300);
  note('a', start + 100);
  note('b1', start + 200);
  note('b2', start + 200);
  jest.advanceTimersByTime(99);
  expect(ran).toEqual([]);
  jest.advanceTimersByTime(1_000);
  expect(ran).toEqual(['a 100', 'b1 200', 'b2 200', 'c 300']);
});

test('waits with a single timer, and with none when there is nothing to wait for', () => {
  for (let n = 1; n <= 100; n += 1) note(String(n), start + n);
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(100);
  expect(ran).toHaveLength(100);
  expect(jest.getTimerCount()).toBe(0);
});

test('what is past runs at once, but after the caller', () => {
  note('past', start - 5_000);
  expect(ran).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(ran).toHaveLength(1);
});

test('waits longer than a timer of Node can', () => {
  note('far', start + 100 * day);
  jest.advanceTimersByTime(100 * day - 1);
  expect(ran).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(ran).toEqual([`far ${100 * day}`]);
});

test('what notes itself anew all the time leaves room for others', () => {
  let turns = 0;
  const again = () => {
    turns += 1;
    jest.setSystemTime(Date.now() + 5);
    agenda.at(Date.now(), again);
  };
  agenda.at(start, again);
  jest.advanceTimersToNextTimer();
  expect(turns).toBe(1);
});

test('what is taken off does not run', () => {
  const cancel = note('a', start + 100);
  note('b', start + 100);
  cancel();
  jest.advanceTimersByTime(100);
  expect(ran).toEqual(['b 100']);
});

test('nothing runs once it is closed', () => {
  note('a', start + 100);
  agenda.at(start + 50, () => agenda.close());
  note('b', start + 50);
  jest.advanceTimersByTime(day);
  expect(ran).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});
