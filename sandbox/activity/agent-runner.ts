import type { Agent, Emit, ErrorDetails } from '../records';
import { nextRun } from '../time/cron';
import type { Scheduler } from '../time/scheduler';

/** The failure of an agent that is set to fail. */
export const agentFailure: ErrorDetails = {
  code: 'ai_provider_unavailable',
  message: 'The AI provider did not respond in time.',
};

const tasks: Record<string, { action: string; summary: string }> = {
  content: { action: 'content_created', summary: 'Drafted 3 posts from the latest trends.' },
  engagement: { action: 'engagement', summary: 'Replied to 5 comments and liked 12 posts.' },
  seo: { action: 'seo', summary: 'Suggested 8 keywords and 4 hashtags.' },
};

/** Runs active agents, on their schedule if the service does so. */
export class AgentRunner {
  readonly #cancel = new Map<Agent, () => void>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly emit: Emit,
    private readonly runsOnSchedule: boolean,
  ) {}

  /** Plans an agent's next run. Call this whenever its schedule or active state changes. */
  schedule(agent: Agent): void {
    this.#cancel.get(agent)?.();
    this.#cancel.delete(agent);
    if (!agent.isActive || !this.runsOnSchedule) return;
    const cancel = this.scheduler.at(Date.parse(agent.nextRunAt), () => {
      this.run(agent);
      this.#scheduleNext(agent);
    });
    this.#cancel.set(agent, cancel);
  }

  /** Runs an agent now. Its schedule stays as it is. */
  run(agent: Agent): void {
    agent.lastRunAt = new Date().toISOString();
    const about = { agentId: agent.id, agentName: agent.name, agentType: agent.type };
    if (agent.failure) {
      this.emit('agent.error', { ...about, error: agent.failure });
    } else {
      const task = tasks[agent.type] ?? { action: agent.type, summary: 'Completed its task.' };
      this.emit('agent.action', { ...about, ...task });
    }
  }

  #scheduleNext(agent: Agent): void {
    const next = nextRun(agent.schedule, new Date());
    if (!next) return;
    agent.nextRunAt = next.toISOString();
    this.schedule(agent);
  }
}
