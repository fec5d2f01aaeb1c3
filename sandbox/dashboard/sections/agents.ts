import { agentFailure } from '../../agents';
import type { Agent } from '../../store';
import { html, type Html } from '../html';
import { actionButton, badge, moment, row, table } from '../parts';
import { shownWorkspaceId, type Section } from '../section';

export const agents: Section = {
  id: 'agents',
  title: 'Agents',
  view: ({ store }) =>
    html`<p>
        Active agents run when their schedule (in UTC) falls due, which ends in
        <code>agent.action</code> or <code>agent.error</code>.
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
      return agent.failure ? `${agent.name} ran and met an error.` : `${agent.name} ran.`;
    },
    fail({ store }, form) {
      const agent = form.record((id) => store.agent(id));
      agent.failure = agentFailure;
      return `${agent.name} meets an error whenever it runs from now on.`;
    },
    succeed({ store }, form) {
      const agent = form.record((id) => store.agent(id));
      agent.failure = undefined;
      return `${agent.name} runs without errors again.`;
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
    isActive ? moment(nextRunAt) : html`<span class="quiet">not active</span>`,
    moment(lastRunAt),
    html`<div class="buttons">
      ${actionButton('Run now', '/agents/run', { id })}
      ${
        failure
          ? actionButton('Let succeed', '/agents/succeed', { id })
          : actionButton('Set to fail', '/agents/fail', { id })
      }
    </div>`,
  );
}
