import type { Agent } from '../../sandbox';
import { AgentRunner } from '../../sandbox/activity/agent-runner';
import { Scheduler } from '../../sandbox/time/scheduler';

const start = Date.parse('2030-01-01T10:00:30Z');
const minute = 60_000;

let scheduler: Scheduler;
let events: unknown[];
let runner: AgentRunner;

const runnerThat = (runsOnSchedule: boolean) =>
  new AgentRunner(scheduler, (event, data) => events.push({ event, data }), runsOnSchedule);

beforeEach(() => {
  jest.useFakeTimers({ now: start });
  scheduler = new Scheduler();
  events = [];
  runner = runnerThat(true);
});

afterEach(() => {
  scheduler.close();
  jest.useRealTimers();
});

function agentOf(overrides: Partial<Agent> = {}): Agent {
  return {
    id: 1,
    workspaceId: 1,
    name: 'Scout',
    type: 'seo',
    isActive: true,
    schedule: '*/2 * * * *',
    nextRunAt: '2030-01-01T10:02:00.000Z',
    config: {},
    extra: {},
    ...overrides,
  };
}

test('an active agent runs on its schedule', () => {
  const agent = agentOf();
  runner.schedule(agent);
  jest.advanceTimersByTime(1.5 * minute - 1);
  expect(events).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(agent).toMatchObject({
    lastRunAt: '2030-01-01T10:02:00.000Z',
    nextRunAt: '2030-01-01T10:04:00.000Z',
  });
  jest.advanceTimersByTime(4 * minute);
  expect(agent.lastRunAt).toBe('2030-01-01T10:06:00.000Z');
  expect(events).toHaveLength(3);
  expect(events[0]).toMatchObject({
    event: 'agent.action',
    data: { agentId: 1, agentName: 'Scout', agentType: 'seo', action: 'seo' },
  });
});

test('an agent that is set to fail sends agent.error', () => {
  const failure = { code: 'no_credit', message: 'The AI provider has no credit left.' };
  runner.schedule(agentOf({ failure }));
  jest.advanceTimersByTime(2 * minute);
  expect(events).toMatchObject([{ event: 'agent.error', data: { agentId: 1, error: failure } }]);
});

test('an inactive agent does not run', () => {
  runner.schedule(agentOf({ isActive: false }));
  jest.advanceTimersByTime(10 * minute);
  expect(events).toEqual([]);
});

test('without agentsRun, no agent runs on its own', () => {
  runner = runnerThat(false);
  const agent = agentOf();
  runner.schedule(agent);
  jest.advanceTimersByTime(10 * minute);
  expect(events).toEqual([]);

  runner.run(agent);
  expect(events).toHaveLength(1);
});

test('a paused agent stops running, and a new schedule replaces the old one', () => {
  const agent = agentOf();
  runner.schedule(agent);
  agent.isActive = false;
  runner.schedule(agent);
  jest.advanceTimersByTime(10 * minute);
  expect(events).toEqual([]);

  Object.assign(agent, { isActive: true, nextRunAt: '2030-01-01T10:20:00.000Z' });
  runner.schedule(agent);
  runner.schedule(agent);
  jest.advanceTimersByTime(10 * minute);
  expect(events).toHaveLength(1);
});
