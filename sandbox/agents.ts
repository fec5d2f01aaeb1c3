import type { Agenda } from './agenda';
import type { Emit } from './events';
import { nextRun } from './schedule';
import type { Agent, Failure } from './store';

/** What an agent that is set to fail reports, unless told otherwise. */
export const agentFailure: Failure = {
  code: 'ai_provider_unavailable',
  message: 'The AI provider did not answer in time.',
};

const tasks: Record<string, { action: string; summary: string }> = {
  content: { action: 'content_created', summary: 'Drafted 3 posts from the latest trends.' },
  engagement: { action: 'engagement', summary: 'Replied to 5 comments and liked 12 posts.' },
  seo: { action: 'seo', summary: 'Suggested 8 keywords and 4 hashtags.' },
};

/** Runs the active agents whenever their schedule falls due. */
export class AgentRunner {
  readonly #cancellations = new Map<Agent, () => void>();

  constructor(
    private readonly agenda: Agenda,
    private readonly emit: Emit,
  ) {}

  /** Takes up an agent's schedule and active state, as they are now. */
  schedule(agent: Agent): void {
    this.#cancellations.get(agent)?.();
    this.#cancellations.delete(agent);
    if (!agent.isActive) return;
    const cancel = this.agenda.at(Date.parse(agent.nextRunAt), () => {
      this.run(agent);
      this.#reschedule(agent);
    });
    this.#cancellations.set(agent, cancel);
  }

  /** Runs an agent now, which leaves its schedule alone. */
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

  #reschedule(agent: Agent): void {
    const next = nextRun(agent.schedule, new Date());
    if (!next) return;
    agent.nextRunAt = next.toISOString();
    this.schedule(agent);
  }
}
