import type { ActiveFaultRule, Fault, FaultKind, FaultMatch } from '../../faults/rules';
import { actionButton, option, row, table } from '../components';
import { type Form, FormError } from '../form';
import { type Html, html } from '../html';
import type { Section } from '../section';

const labels: Record<FaultKind, string> = {
  latency: 'Slow response',
  rateLimit: '429 Too Many Requests',
  status: 'Any status',
  reset: 'Connection reset',
  truncated: 'Truncated JSON',
  malformedJson: 'Malformed JSON',
  html: 'HTML page with status 200',
  empty: 'Empty body with status 200',
  wrongShape: 'Unexpected JSON',
  wrongTotal: 'Wrong total in a list of posts',
  missingTotal: 'No total in a list of posts',
  pageCap: 'Smaller pages of posts',
};

const paths = ['/posts', '/accounts', '/analytics', '/agents'];

export const faults: Section = {
  id: 'faults',
  title: 'Faults',
  view: (service) =>
    html`<p>Make requests to the API fail.</p>
      ${table(
        ['Fault', 'Applies to', 'Hits', ''],
        service.faults.list().map(faultRow),
        'There are no faults.',
      )}
      <form method="post" action="/faults/add" class="inline">
        <label
          >Fault
          <select name="kind">
            ${Object.entries(labels).map(([kind, label]) => option(kind, label))}
          </select></label
        >
        ${fieldFor('latency', 'Milliseconds', 'ms', '1000')}
        ${fieldFor('rateLimit', 'Retry-After', 'retryAfter', 'none')}
        ${fieldFor('status', 'Status', 'status', '503')}
        ${fieldFor('status', 'Body', 'body', 'a JSON error')}
        ${fieldFor('wrongShape', 'Body', 'shape', '{"result":"ok"}')}
        ${fieldFor('wrongTotal', 'Total', 'total', '0')}
        ${fieldFor('pageCap', 'Posts per page', 'limit', '10')}
        <label class="for-truncated"
          >Content-Length
          <select name="contentLength">
            ${option('whole', 'of the full response')} ${option('cut', 'of what is sent')}
          </select></label
        >
        <label
          >Method
          <select name="method">
            ${option('', 'any')} ${option('GET')} ${option('POST')}
          </select></label
        >
        <label
          >Path
          <select name="path">
            ${option('', 'any')} ${paths.map((path) => option(path))}
          </select></label
        >
        <label>Times <input name="times" inputmode="numeric" placeholder="always" /></label>
        <label>After <input name="after" inputmode="numeric" placeholder="0" /></label>
        <label>Probability <input name="probability" inputmode="decimal" placeholder="1" /></label>
        <label
          >Applies
          <select name="processed">
            ${option('', 'at the usual point')} ${option('no', 'before the request is processed')}
            ${option('yes', 'after the request is processed')}
          </select></label
        >
        <button class="primary">Add fault</button>
      </form>`,
  actions: {
    add(service, form) {
      const rule = service.faults.add({ ...matchFrom(form), ...faultFrom(form) });
      return `Fault added: ${labels[rule.kind]}.`;
    },
    remove(service, form) {
      service.faults.remove(Number(form.text('id')));
      return 'Fault removed.';
    },
    clear(service) {
      service.faults.clear();
      return 'All faults removed.';
    },
  },
};

/** A field that is visible only while its fault is selected. */
function fieldFor(kind: FaultKind, label: string, name: string, placeholder: string): Html {
  return html`<label class="for-${kind}"
    >${label} <input name="${name}" placeholder="${placeholder}"
  /></label>`;
}

function faultRow(rule: ActiveFaultRule): Html {
  const {
    id,
    kind,
    matched,
    hits,
    method,
    path,
    times,
    after,
    probability,
    processed,
    ...details
  } = rule;
  const settings = Object.entries(details).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
  const conditions = [
    after !== undefined && `after ${after}`,
    times !== undefined && `${times} times`,
    probability !== undefined && `with probability ${probability}`,
    processed !== undefined && (processed ? 'processed' : 'not processed'),
  ].filter((condition) => condition !== false);
  return row(
    html`${labels[kind]} <small class="quiet">${settings.join(', ')}</small>`,
    [`${method ?? 'any method'} ${path ?? 'any path'}`, ...conditions].join(', '),
    `${hits} of ${matched}`,
    actionButton('Remove', '/faults/remove', { id }),
  );
}

function matchFrom(form: Form): FaultMatch {
  const [times, after] = [form.number('times'), form.number('after')];
  const probability = form.number('probability');
  return {
    ...(form.text('method') !== '' && { method: form.text('method') }),
    ...(form.text('path') !== '' && { path: form.text('path') }),
    ...(times !== undefined && { times }),
    ...(after !== undefined && { after }),
    ...(probability !== undefined && { probability }),
    ...(form.text('processed') !== '' && { processed: form.text('processed') === 'yes' }),
  };
}

function faultFrom(form: Form): Fault {
  const kind = Object.keys(labels).find((known): known is FaultKind => known === form.text('kind'));
  switch (kind) {
    case 'latency':
      return { kind, ms: form.number('ms') ?? 1000 };
    case 'rateLimit':
      return {
        kind,
        ...(form.text('retryAfter') !== '' && { retryAfter: form.text('retryAfter') }),
      };
    case 'status':
      return { kind, ...statusFrom(form) };
    case 'truncated':
      return { kind, contentLength: form.text('contentLength') === 'cut' ? 'cut' : 'whole' };
    case 'wrongShape':
      return { kind, ...(form.text('shape') !== '' && { body: jsonFrom(form.text('shape')) }) };
    case 'wrongTotal':
      return { kind, total: form.text('total') === '' ? 0 : jsonFrom(form.text('total')) };
    case 'pageCap':
      return { kind, limit: form.number('limit') ?? 10 };
    case 'reset':
    case 'malformedJson':
    case 'html':
    case 'empty':
    case 'missingTotal':
      return { kind };
    case undefined:
      throw new FormError('Select a fault.');
  }
}

function statusFrom(form: Form): { status: number; body?: string } {
  const status = form.number('status') ?? 503;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new FormError('The status must be a whole number from 200 to 599.');
  }
  return { status, ...(form.text('body') !== '' && { body: form.text('body') }) };
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FormError(`"${text}" is not valid JSON.`);
  }
}
