import type { ActiveFaultRule, Fault, FaultKind, FaultMatch } from '../../faults';
import { FormError, type Form } from '../form';
import { html, type Html } from '../html';
import { actionButton, option, row, table } from '../parts';
import type { Section } from '../section';

const labels: Record<FaultKind, string> = {
  latency: 'slow answer',
  rateLimit: '429 Too Many Requests',
  status: 'any status',
  reset: 'connection reset',
  truncated: 'JSON that breaks off',
  malformedJson: 'malformed JSON',
  html: 'HTML page with status 200',
  empty: 'empty body with status 200',
  wrongShape: 'JSON of another shape',
  wrongTotal: 'wrong total',
  missingTotal: 'no total',
  pageCap: 'lower page cap',
};

const paths = ['/posts', '/accounts', '/analytics', '/agents'];

export const faults: Section = {
  id: 'faults',
  title: 'Faults',
  view: (service) =>
    html`<p>What is to go wrong with requests to the API.</p>
      ${table(
        ['Fault', 'Requests', 'Hits', ''],
        service.faults.list().map(faultRow),
        'Nothing goes wrong at present.',
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
        ${fieldFor('pageCap', 'Posts a page', 'limit', '10')}
        <label class="for-truncated"
          >Content-Length
          <select name="contentLength">
            ${option('whole', 'of the whole')} ${option('cut', 'of what is sent')}
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
          >Strikes
          <select name="acted">
            ${option('', 'where it is usual')} ${option('no', 'before the request is acted on')}
            ${option('yes', 'after the request is acted on')}
          </select></label
        >
        <button class="primary">Add fault</button>
      </form>`,
  actions: {
    add(service, form) {
      const rule = service.faults.add({ ...matchFrom(form), ...faultFrom(form) });
      return `From now on: ${labels[rule.kind]}.`;
    },
    remove(service, form) {
      service.faults.remove(Number(form.text('id')));
      return 'The fault is removed.';
    },
    clear(service) {
      service.faults.clear();
      return 'Nothing goes wrong any more.';
    },
  },
};

/** A field that shows only while the fault it belongs to is chosen. */
function fieldFor(kind: FaultKind, label: string, name: string, placeholder: string): Html {
  return html`<label class="for-${kind}"
    >${label} <input name="${name}" placeholder="${placeholder}"
  /></label>`;
}

function faultRow(rule: ActiveFaultRule): Html {
  const { id, kind, seen, hits, method, path, times, after, probability, acted, ...details } = rule;
  const settings = Object.entries(details).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
  const conditions = [
    after !== undefined && `after ${after}`,
    times !== undefined && `${times} times`,
    probability !== undefined && `with probability ${probability}`,
    acted !== undefined && (acted ? 'acted on' : 'not acted on'),
  ].filter((condition) => condition !== false);
  return row(
    html`${labels[kind]} <small class="quiet">${settings.join(', ')}</small>`,
    [`${method ?? 'any'} ${path ?? 'path'}`, ...conditions].join(', '),
    `${hits} of ${seen}`,
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
    ...(form.text('acted') !== '' && { acted: form.text('acted') === 'yes' }),
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
      throw new FormError('Choose a fault.');
  }
}

function statusFrom(form: Form): { status: number; body?: string } {
  const status = form.number('status') ?? 503;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new FormError('The status must be an integer from 200 to 599.');
  }
  return { status, ...(form.text('body') !== '' && { body: form.text('body') }) };
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FormError(`"${text}" is not JSON.`);
  }
}
