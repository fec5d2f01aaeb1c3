import { Agenda } from '../../sandbox/agenda';
import { AgentRunner } from '../../sandbox/agents';
import type { Agent } from '../../sandbox';

const start = Date.parse('2030-01-01T10:00:30Z');
const minute = 60_000;

let agenda: Agenda;
let events: unknown[];
let runner: AgentRunner;

beforeEach(() => {
  jest.useFakeTimers({ now: start });
  agenda = new Agenda();
  events = [];
  runner = new AgentRunner(agenda, (event, data) => events.push({ event, data }));
});

afterEach(() => {
  agenda.close();
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
    lastRunAt: null,
    nextRunAt: '2030-01-01T10:02:00.000Z',
    config: {},
    extra: {},
    ...overrides,
  };
}

test('an active agent runs whenever its schedule falls due', () => {
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

test('an agent that is set to fail reports why', () => {
  const failure = { code: 'no_credit', message: 'The AI provider has no credit left.' };
  runner.schedule(agentOf({ failure }));
  jest.advanceTimersByTime(2 * minute);
  expect(events).toMatchObject([{ event: 'agent.error', data: { agentId: 1, error: failure } }]);
});

test('an agent that is not active does not run', () => {
  runner.schedule(agentOf({ isActive: false }));
  jest.advanceTimersByTime(10 * minute);
  expect(events).toEqual([]);
});

test('an agent that is paused no longer runs, and a new schedule replaces the old', () => {
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
