import { usedInMonth } from '../../api/quota';
import { type ApiKey, type Plan, planNames, plans } from '../../records';
import { demoKeyPrefix } from '../../seed';
import {
  actionButton,
  copyable,
  formatNumber,
  option,
  relativeTime,
  row,
  table,
} from '../components';
import { FormError } from '../form';
import { html } from '../html';
import type { Section } from '../section';

export const keys: Section = {
  id: 'keys',
  title: 'Settings: API Keys',
  view: ({ store }) =>
    html`<p>Send a key as <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>
      ${table(
        ['Name', 'Plan', 'Key', 'Used this month', 'Created', ''],
        store.keys.filter(({ isActive }) => isActive).map(keyRow),
        'There are no keys.',
      )}
      <form method="post" action="/keys/create" class="inline">
        <label>Name <input name="name" required placeholder="My automation" /></label>
        <label
          >Plan
          <select name="plan">
            ${planNames.map((plan) => option(plan, planLabel(plan)))}
          </select></label
        >
        <button class="primary">Create key</button>
      </form>`,
  actions: {
    create({ store }, form) {
      const plan = planNames.find((name) => name === form.text('plan'));
      if (!plan) throw new FormError('Choose a plan.');
      const name = form.text('name');
      if (name === '') throw new FormError('Enter a name for the key.');
      const { key } = store.addKey({ name, plan });
      return html`Key created. Copy it now, it is shown only once: ${copyable(key)}`;
    },
    revoke({ store }, form) {
      const key = form.record((id) => store.keys[id - 1]);
      key.isActive = false;
      return `The key "${key.name}" was revoked.`;
    },
  },
};

function keyRow(key: ApiKey) {
  const limit = plans[key.plan].requestsPerMonth;
  const used = usedInMonth(key, new Date());
  return row(
    key.name,
    plans[key.plan].name,
    key.key.startsWith(demoKeyPrefix) ? copyable(key.key) : html`<code>${masked(key.key)}</code>`,
    limit === 0
      ? html`<span class="quiet">no API access</span>`
      : html`<meter max="${limit}" value="${used}"></meter> ${formatNumber(used)} /
          ${formatNumber(limit)}`,
    relativeTime(key.createdAt),
    actionButton('Revoke', '/keys/revoke', { id: key.id }),
  );
}

function planLabel(plan: Plan): string {
  const { name, requestsPerMonth } = plans[plan];
  return requestsPerMonth === 0
    ? `${name}, no API access`
    : `${name}, ${formatNumber(requestsPerMonth)} requests per month`;
}

function masked(key: string): string {
  return `${key.slice(0, 12)}…${key.slice(-4)}`;
}
