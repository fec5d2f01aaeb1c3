import type { RecordedRequest } from '../../requests';
import { html, type Html } from '../html';
import { badge, latest, moment, row, table } from '../parts';
import type { Section } from '../section';

export const requests: Section = {
  id: 'requests',
  title: 'Requests',
  view: ({ log }) =>
    html`<p>What has arrived at the API of late.</p>
      ${table(
        ['', 'Request', 'Status', 'Received'],
        latest(log.requests, 12).map(requestRow),
        'Nothing has arrived yet.',
      )}`,
};

function requestRow({ method, url, body, status, receivedAt }: RecordedRequest): Html {
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
    moment(receivedAt.toISOString()),
  );
}
