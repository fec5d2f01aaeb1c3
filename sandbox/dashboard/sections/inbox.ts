import { inboxKinds } from '../../events';
import type { Service } from '../../service';
import type { InboxMessage } from '../../store';
import { FormError } from '../form';
import { html, type Html } from '../html';
import { actionButton, latest, moment, row, table } from '../parts';
import { shownWorkspaceId, type Section } from '../section';

export const inbox: Section = {
  id: 'inbox',
  title: 'Inbox',
  view: (service) =>
    html`<p>Each message that comes in ends in <code>inbox.new</code>. Have one come in:</p>
      <div class="buttons">
        ${inboxKinds.map((kind) =>
          actionButton(kind.replace('_', ' '), '/inbox/receive', { kind }),
        )}
      </div>
      ${table(
        ['Kind', 'From', 'Text', 'To', 'Received'],
        latest(service.store.inbox, 8).map((message) => messageRow(service, message)),
        'Nothing has come in yet.',
      )}`,
  actions: {
    receive(service, form) {
      const kind = inboxKinds.find((known) => known === form.text('kind'));
      const message = service.inbox.receive(shownWorkspaceId, kind);
      if (!message) throw new FormError('No account is connected for it to come in.');
      return `A ${message.kind.replace('_', ' ')} from ${message.author.displayName} came in.`;
    },
  },
};

function messageRow({ store }: Service, message: InboxMessage): Html {
  return row(
    message.kind,
    message.author.displayName,
    message.text,
    store.account(message.socialAccountId)?.platform,
    moment(message.receivedAt),
  );
}
