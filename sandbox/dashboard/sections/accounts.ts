import { publishingFailure } from '../../activity/publisher';
import type { SocialAccount } from '../../records';
import { actionButton, badge, row, table } from '../components';
import { type Html, html } from '../html';
import { type Section, shownWorkspaceId } from '../section';

export const accounts: Section = {
  id: 'accounts',
  title: 'Accounts',
  view: ({ store }) =>
    html`<p>
        A post to an account that is disconnected or set to fail sends
        <code>post.failed</code>.
      </p>
      ${table(
        ['ID', 'Platform', 'Account', 'Publishing', '', ''],
        store.accountsOf(shownWorkspaceId).map(accountRow),
        'There are no accounts.',
      )}`,
  actions: {
    fail({ store }, form) {
      const account = form.record((id) => store.account(id));
      account.failure = {
        code: form.text('code') || publishingFailure.code,
        message: form.text('message') || publishingFailure.message,
      };
      return `Publishing to ${nameOf(account)} now fails.`;
    },
    'clear-failure'({ store }, form) {
      const account = form.record((id) => store.account(id));
      account.failure = undefined;
      return `Publishing to ${nameOf(account)} works again.`;
    },
    disconnect({ store, inbox }, form) {
      const account = form.record((id) => store.account(id));
      inbox.disconnect(
        account,
        form.text('reason') === 'token_expired' ? 'token_expired' : 'disconnected',
      );
      return `${nameOf(account)} is disconnected.`;
    },
    connect({ store }, form) {
      const account = form.record((id) => store.account(id));
      account.isActive = true;
      return `${nameOf(account)} is connected again.`;
    },
  },
};

function accountRow(account: SocialAccount): Html {
  const { id, platform, platformUsername, isActive, failure } = account;
  return row(
    id,
    platform,
    `@${platformUsername}`,
    statusBadge(account),
    isActive
      ? html`<div class="buttons">
          ${actionButton('Disconnect', '/accounts/disconnect', { id, reason: 'disconnected' })}
          ${actionButton('Expire token', '/accounts/disconnect', { id, reason: 'token_expired' })}
        </div>`
      : actionButton('Connect', '/accounts/connect', { id }),
    failure
      ? actionButton('Clear failure', '/accounts/clear-failure', { id })
      : html`<details>
          <summary>Set to fail</summary>
          <form method="post" action="/accounts/fail" class="stack">
            <input type="hidden" name="id" value="${id}" />
            <label>Code <input name="code" value="${publishingFailure.code}" /></label>
            <label>Message <input name="message" value="${publishingFailure.message}" /></label>
            <button>Save</button>
          </form>
        </details>`,
  );
}

function statusBadge({ isActive, failure }: SocialAccount): Html {
  if (!isActive) return badge('disconnected', 'bad');
  return failure ? badge(`fails: ${failure.code}`, 'bad') : badge('works', 'good');
}

function nameOf({ platform, platformUsername }: SocialAccount): string {
  return `@${platformUsername} on ${platform}`;
}
