import type { ActiveFaultRule, Fault, FaultMatch } from '../../faults/rules';
import { actionButton, option, row, table } from '../components';
import { type Form, FormError } from '../form';
import { type Html, html } from '../html';
import type { Section } from '../section';
import { faultForms } from './fault-kinds';

const kinds = Object.entries(faultForms);

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
      ${service.faults.list().length > 1 && actionButton('Remove all', '/faults/clear', {})}
      <form method="post" action="/faults/add" class="inline">
        <label
          >Fault
          <select name="kind">
            ${kinds.map(([kind, { label }]) => option(kind, label))}
          </select></label
        >
        ${kinds.map(([kind, { fields = [] }]) => settingFields(kind, fields))}
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
        <label>At most <input name="times" inputmode="numeric" placeholder="all requests" /></label>
        <label
          >Skip first <input name="after" inputmode="numeric" placeholder="no requests"
        /></label>
        <label>Probability <input name="probability" inputmode="decimal" placeholder="1" /></label>
        <label
          >Takes effect
          <select name="processed">
            ${option('', 'as usual for this fault')}
            ${option('no', 'before the request is processed')}
            ${option('yes', 'after the request is processed')}
          </select></label
        >
        <button class="primary">Add fault</button>
      </form>`,
  actions: {
    add(service, form) {
      const rule = service.faults.add({ ...matchFrom(form), ...faultFrom(form) });
      return `Fault added: ${faultForms[rule.kind].label}.`;
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

/** The fields of a kind of fault, which are visible only while it is selected. */
function settingFields(kind: string, fields: Html[]): Html[] {
  return fields.map((field) => html`<label class="for-${kind}">${field}</label>`);
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
    after !== undefined && `after the first ${after}`,
    times !== undefined && `at most ${times} times`,
    probability !== undefined && `with probability ${probability}`,
    processed !== undefined && (processed ? 'processed' : 'not processed'),
  ].filter((condition) => condition !== false);
  return row(
    html`${faultForms[kind].label} <small class="quiet">${settings.join(', ')}</small>`,
    [method ?? 'any method', path ?? 'any path', ...conditions].join(', '),
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
  const [, selected] = kinds.find(([kind]) => kind === form.text('kind')) ?? [];
  if (!selected) throw new FormError('Select a fault.');
  return selected.read(form);
}
