import { eventKinds } from '../../events';
import type { Service } from '../../service';
import type { Delivery, WebhookEndpoint } from '../../store';
import { FormError, type Form } from '../form';
import { html, type Html } from '../html';
import { actionButton, badge, copyable, latest, moment, row, table } from '../parts';
import type { Section } from '../section';

export const webhooks: Section = {
  id: 'webhooks',
  title: 'Settings: Webhooks',
  view: ({ store }) =>
    html`<p>
        Events are posted to these endpoints, signed with the secret of each in
        <code>X-Service-Signature</code>, and sent again until they are acknowledged.
      </p>
      ${table(
        ['Address', 'Events', 'Secret', ''],
        store.webhookEndpoints.map(endpointRow),
        'There are no endpoints yet.',
      )}
      <form method="post" action="/webhooks/add" class="stack">
        <label
          >Address
          <input name="url" type="url" required placeholder="http://127.0.0.1:5678/webhook/…"
        /></label>
        <label
          >Secret
          <input name="secret" autocomplete="off" placeholder="leave empty to have one made"
        /></label>
        <fieldset>
          <legend>Events (none chosen: all)</legend>
          ${eventKinds.map(
            (kind) =>
              html`<label><input type="checkbox" name="events" value="${kind}" />${kind}</label> `,
          )}
        </fieldset>
        <button class="primary">Add endpoint</button>
      </form>
      <h3>Deliveries</h3>
      ${table(
        ['Event', 'Created', 'Status', 'Attempts', 'To', ''],
        latest(store.deliveries, 12).map(deliveryRow),
        'Nothing has been delivered yet.',
      )}`,
  actions: {
    add: addEndpoint,
    remove(service, form) {
      const endpoint = form.record((id) => service.store.webhookEndpoint(id));
      service.webhooks.remove(endpoint.id);
      return `The endpoint ${endpoint.url} is removed.`;
    },
    repeat(service, form) {
      const delivery = form.record((id) => service.store.deliveries[id - 1]);
      if (!service.store.webhookEndpoint(delivery.endpointId)) {
        throw new FormError('The endpoint of this delivery has been removed.');
      }
      void service.webhooks.repeat(delivery);
      return `The event ${delivery.event} is on its way once more.`;
    },
  },
};

function addEndpoint(service: Service, form: Form) {
  const secret = form.text('secret');
  try {
    const endpoint = service.webhooks.add({
      url: form.text('url'),
      events: form.all('events'),
      ...(secret !== '' && { secret }),
    });
    return html`The endpoint is added. Its secret: ${copyable(endpoint.secret)}`;
  } catch (error) {
    throw error instanceof TypeError ? new FormError(error.message) : error;
  }
}

function endpointRow({ id, url, events, secret }: WebhookEndpoint): Html {
  return row(
    html`<code>${url}</code>`,
    events.length === 0 ? 'all' : events.join(', '),
    html`<details>
      <summary>Show</summary>
      ${copyable(secret)}
    </details>`,
    actionButton('Remove', '/webhooks/remove', { id }),
  );
}

const tones = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

function deliveryRow(delivery: Delivery): Html {
  return row(
    html`<details>
      <summary>${delivery.event}</summary>
      <code>X-Service-Signature: ${delivery.signature}</code>
      <pre>${delivery.body.toString()}</pre>
    </details>`,
    moment(delivery.createdAt),
    badge(delivery.status, tones[delivery.status]),
    attemptsOf(delivery),
    html`<code class="short" title="${delivery.url}">${delivery.url}</code>`,
    actionButton('Send again', '/webhooks/repeat', { id: delivery.id }),
  );
}

function attemptsOf({ attempts, nextAttemptAt }: Delivery): Html {
  const last = attempts.at(-1);
  return html`${attempts.length}${last && html`: ${last.status ?? last.error}`}
  ${nextAttemptAt !== null && html`<small>next ${moment(nextAttemptAt)}</small>`}`;
}
