import { type InboxKind, inboxKinds, type InboxMessage } from '../../records';
import type { SandboxService } from '../../service';
import { actionButton, latest, relativeTime, row, table } from '../components';
import { FormError } from '../form';
import { type Html, html } from '../html';
import { type Section, shownWorkspaceId } from '../section';

export const inbox: Section = {
  id: 'inbox',
  title: 'Inbox',
  view: (service) =>
    html`<p>Each message sends <code>inbox.new</code>. Simulate one:</p>
      <div class="buttons">
        ${inboxKinds.map((kind) =>
          actionButton(capitalize(kindLabel(kind)), '/inbox/receive', { kind }),
        )}
      </div>
      ${table(
        ['Kind', 'From', 'Text', 'To', 'Received'],
        latest(service.store.inbox, 8).map((message) => messageRow(service, message)),
        'There are no messages yet.',
      )}`,
  actions: {
    receive(service, form) {
      const kind = inboxKinds.find((one) => one === form.text('kind'));
      const message = service.inbox.receive(shownWorkspaceId, kind);
      if (!message)
        throw new FormError('No account is connected. Connect one to receive messages.');
      return `Received a ${kindLabel(message.kind)} from ${message.author.displayName}.`;
    },
  },
};

function kindLabel(kind: InboxKind): string {
  return kind.replace('_', ' ');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function messageRow({ store }: SandboxService, message: InboxMessage): Html {
  return row(
    kindLabel(message.kind),
    message.author.displayName,
    message.text,
    store.account(message.socialAccountId)?.platform,
    relativeTime(message.receivedAt),
  );
}
