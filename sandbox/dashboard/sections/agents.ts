import { agentFailure } from '../../activity/agent-runner';
import type { Agent } from '../../records';
import { actionButton, badge, relativeTime, row, table } from '../components';
import { type Html, html } from '../html';
import { type Section, shownWorkspaceId } from '../section';

export const agents: Section = {
  id: 'agents',
  title: 'Agents',
  view: ({ store }) =>
    html`<p>
        Active agents run on their schedule (UTC). Each run sends <code>agent.action</code> or
        <code>agent.error</code>.
      </p>
      ${table(
        ['ID', 'Name', 'Type', 'Schedule', 'Next run', 'Last run', ''],
        store.agentsOf(shownWorkspaceId).map(agentRow),
        'There are no agents.',
      )}`,
  actions: {
    run({ store, agentRunner }, form) {
      const agent = form.record((id) => store.agent(id));
      agentRunner.run(agent);
      return agent.failure ? `${agent.name} ran and failed.` : `${agent.name} ran.`;
    },
    fail({ store }, form) {
      const agent = form.record((id) => store.agent(id));
      agent.failure = agentFailure;
      return `${agent.name} now fails whenever it runs.`;
    },
    'clear-failure'({ store }, form) {
      const agent = form.record((id) => store.agent(id));
      agent.failure = undefined;
      return `${agent.name} no longer fails.`;
    },
  },
};

function agentRow({
  id,
  name,
  type,
  schedule,
  isActive,
  nextRunAt,
  lastRunAt,
  failure,
}: Agent): Html {
  return row(
    id,
    html`${name} ${failure && badge('fails', 'bad')}`,
    type,
    html`<code>${schedule}</code>`,
    isActive ? relativeTime(nextRunAt) : html`<span class="quiet">inactive</span>`,
    relativeTime(lastRunAt),
    html`<div class="buttons">
      ${actionButton('Run now', '/agents/run', { id })}
      ${
        failure
          ? actionButton('Clear failure', '/agents/clear-failure', { id })
          : actionButton('Set to fail', '/agents/fail', { id })
      }
    </div>`,
  );
}
