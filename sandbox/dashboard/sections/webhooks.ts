import type { Delivery, WebhookEndpoint } from '../../records';
import { eventNames } from '../../records';
import type { SandboxService } from '../../service';
import { actionButton, badge, copyable, latest, relativeTime, row, table } from '../components';
import { type Form, FormError } from '../form';
import { type Html, html } from '../html';
import type { Section } from '../section';

export const webhooks: Section = {
  id: 'webhooks',
  title: 'Settings: Webhooks',
  view: ({ store }) =>
    html`<p>
        The sandbox posts events to these endpoints. It signs each with the endpoint’s secret in
        <code>X-Service-Signature</code>, and sends it again until the endpoint responds with 2xx.
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
          >Secret <input name="secret" autocomplete="off" placeholder="Leave empty to generate one"
        /></label>
        <fieldset>
          <legend>Events (none selected: all)</legend>
          ${eventNames.map(
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
        'There are no deliveries yet.',
      )}`,
  actions: {
    add: addEndpoint,
    'change-url'(service, form) {
      const endpoint = form.record((id) => service.store.webhookEndpoint(id));
      asFormError(() => service.webhooks.changeUrl(endpoint, form.text('url')));
      return `The endpoint now receives events at ${endpoint.url}. Its secret stays the same.`;
    },
    remove(service, form) {
      const endpoint = form.record((id) => service.store.webhookEndpoint(id));
      service.webhooks.remove(endpoint.id);
      return `The endpoint ${endpoint.url} was removed.`;
    },
    resend(service, form) {
      const delivery = form.record((id) => service.store.deliveries[id - 1]);
      if (!service.store.webhookEndpoint(delivery.endpointId)) {
        throw new FormError('The endpoint of this delivery was removed.');
      }
      void service.webhooks.resend(delivery);
      return `Sending ${delivery.event} again.`;
    },
  },
};

function addEndpoint(service: SandboxService, form: Form) {
  const secret = form.text('secret');
  const endpoint = asFormError(() =>
    service.webhooks.add({
      url: form.text('url'),
      events: form.all('events'),
      ...(secret !== '' && { secret }),
    }),
  );
  return html`Endpoint added. Its secret: ${copyable(endpoint.secret)}`;
}

/** Turns the error for an invalid URL or secret into one that the form shows. */
function asFormError<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw error instanceof TypeError ? new FormError(error.message) : error;
  }
}

function endpointRow({ id, url, events, secret }: WebhookEndpoint): Html {
  return row(
    html`<code>${url}</code>
      <details>
        <summary>Change address</summary>
        <form method="post" action="/webhooks/change-url" class="stack">
          <input type="hidden" name="id" value="${id}" />
          <label>New address <input name="url" type="url" required value="${url}" /></label>
          <button>Save</button>
        </form>
      </details>`,
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
    relativeTime(delivery.createdAt),
    badge(delivery.status, tones[delivery.status]),
    attemptSummary(delivery),
    html`<code class="short" title="${delivery.url}">${delivery.url}</code>`,
    actionButton('Resend', '/webhooks/resend', { id: delivery.id }),
  );
}

function attemptSummary({ attempts, nextAttemptAt }: Delivery): Html {
  const last = attempts.at(-1);
  return html`${attempts.length}${last && html`: ${last.status ?? last.error}`}
  ${nextAttemptAt !== null && html`<small>next ${relativeTime(nextAttemptAt)}</small>`}`;
}
