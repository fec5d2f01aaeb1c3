import type { LoggedRequest } from '../../request-log';
import { badge, latest, relativeTime, row, table } from '../components';
import { type Html, html } from '../html';
import type { Section } from '../section';

export const requests: Section = {
  id: 'requests',
  title: 'Requests',
  view: ({ log }) =>
    html`<p>The latest requests to the API.</p>
      ${table(
        ['Method', 'Request', 'Status', 'Received'],
        latest(log.requests, 12).map(requestRow),
        'There are no requests yet.',
      )}`,
};

function requestRow({ method, url, body, status, receivedAt }: LoggedRequest): Html {
  return row(
    method,
    body.length === 0
      ? html`<code>${url}</code>`
      : html`<details>
          <summary><code>${url}</code></summary>
          <pre>${body.toString()}</pre>
        </details>`,
    status === undefined
      ? badge('none', 'bad')
      : badge(String(status), status < 400 ? 'good' : 'bad'),
    relativeTime(receivedAt.toISOString()),
  );
}
