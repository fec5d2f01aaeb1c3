import type { Fault, FaultKind } from '../../faults/rules';
import { option } from '../components';
import { type Form, FormError } from '../form';
import { type Html, html } from '../html';

/** How the dashboard shows a kind of fault. */
interface FaultForm<Kind extends FaultKind> {
  label: string;
  /** The settings of this kind, apart from which requests it applies to. */
  fields?: Html[];
  /** @throws FormError when a setting isn't valid */
  read(form: Form): Extract<Fault, { kind: Kind }>;
}

/** The kinds of faults, in the order of the list in the dashboard. */
export const faultForms: { [Kind in FaultKind]: FaultForm<Kind> } = {
  latency: {
    label: 'Slow response',
    fields: [input('Milliseconds', 'ms', '1000')],
    read: (form) => ({ kind: 'latency', ms: form.number('ms') ?? 1000 }),
  },
  slowBody: {
    label: 'Slow body',
    fields: [input('Milliseconds per byte', 'everyMs', '100')],
    read: (form) => ({ kind: 'slowBody', everyMs: form.number('everyMs') ?? 100 }),
  },
  rateLimit: {
    label: '429 Too Many Requests',
    fields: [input('Retry-After', 'retryAfter', 'none')],
    read: (form) => ({
      kind: 'rateLimit',
      ...(form.text('retryAfter') !== '' && { retryAfter: form.text('retryAfter') }),
    }),
  },
  status: {
    label: 'Any status',
    fields: [input('Status', 'status', '503'), input('Body', 'body', 'a JSON error')],
    read: (form) => ({
      kind: 'status',
      status: readStatus(form),
      ...(form.text('body') !== '' && { body: form.text('body') }),
    }),
  },
  reset: { label: 'Connection reset', read: () => ({ kind: 'reset' }) },
  truncated: {
    label: 'Truncated JSON',
    fields: [
      select('Content-Length', 'contentLength', {
        whole: 'of the full response',
        cut: 'of what is sent',
      }),
    ],
    read: (form) => ({
      kind: 'truncated',
      contentLength: form.text('contentLength') === 'cut' ? 'cut' : 'whole',
    }),
  },
  malformedJson: { label: 'Malformed JSON', read: () => ({ kind: 'malformedJson' }) },
  html: { label: 'HTML page with status 200', read: () => ({ kind: 'html' }) },
  empty: { label: 'Empty body with status 200', read: () => ({ kind: 'empty' }) },
  wrongShape: {
    label: 'Unexpected JSON',
    fields: [input('Body', 'shape', '{"result":"ok"}')],
    read: (form) => ({
      kind: 'wrongShape',
      ...(form.text('shape') !== '' && { body: parseJson(form.text('shape')) }),
    }),
  },
  crossed: { label: 'Crossed responses', read: () => ({ kind: 'crossed' }) },
  wrongTotal: {
    label: 'Wrong total in a list of posts',
    fields: [input('Total', 'total', '0')],
    read: (form) => ({
      kind: 'wrongTotal',
      total: form.text('total') === '' ? 0 : parseJson(form.text('total')),
    }),
  },
  missingTotal: { label: 'No total in a list of posts', read: () => ({ kind: 'missingTotal' }) },
  pageCap: {
    label: 'Smaller pages of posts',
    fields: [input('Posts per page', 'limit', '10')],
    read: (form) => ({ kind: 'pageCap', limit: form.number('limit') ?? 10 }),
  },
  listOrder: {
    label: 'Order of posts',
    fields: [
      select('Order', 'order', { newest: 'newest first', oldest: 'oldest first', id: 'by ID' }),
    ],
    read: (form) => ({
      kind: 'listOrder',
      order: listOrders.find((one) => one === form.text('order')) ?? 'newest',
    }),
  },
  lateList: {
    label: 'Late list of posts',
    fields: [input('Milliseconds until a post shows', 'lagMs', '3000')],
    read: (form) => ({ kind: 'lateList', ms: form.number('lagMs') ?? 3000 }),
  },
};
const listOrders = ['newest', 'oldest', 'id'] as const;

function input(label: string, name: string, placeholder: string): Html {
  return html`${label} <input name="${name}" placeholder="${placeholder}" />`;
}

function select(label: string, name: string, options: Record<string, string>): Html {
  return html`${label}
    <select name="${name}">
      ${Object.entries(options).map(([value, text]) => option(value, text))}
    </select>`;
}

function readStatus(form: Form): number {
  const status = form.number('status') ?? 503;
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new FormError('The status must be a whole number from 200 to 599.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FormError(`"${text}" is not valid JSON.`);
  }
}
