import type { EventName, Sandbox } from '../../../sandbox';

async function runAgent(sandbox: Sandbox, id: number): Promise<void> {
  await fetch(`${sandbox.origin}/agents/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `id=${id}`,
    redirect: 'manual',
  });
}

function postNow(sandbox: Sandbox, socialAccountId: number): void {
  sandbox.addPosts(1, {
    scheduledAt: new Date().toISOString(),
    variants: [{ socialAccountId, content: 'Fresh bread!' }],
  });
}

const failure = { code: 'out_of_order', message: 'Out of order' };

/** Makes the sandbox send one event of a kind, by what causes it in the service. */
export const causeEvent: Record<EventName, (sandbox: Sandbox) => void | Promise<void>> = {
  'post.published': (sandbox) => postNow(sandbox, 1),
  'post.failed': (sandbox) => {
    Object.assign(sandbox.store.account(2) ?? {}, { failure });
    postNow(sandbox, 2);
  },
  'agent.action': (sandbox) => runAgent(sandbox, 1),
  'agent.error': async (sandbox) => {
    Object.assign(sandbox.store.agent(2) ?? {}, { failure });
    await runAgent(sandbox, 2);
  },
  'inbox.new': (sandbox) => {
    sandbox.inbox.receive(1, 'comment');
  },
  'account.disconnected': (sandbox) => {
    const account = sandbox.store.account(3);
    if (account) sandbox.inbox.disconnect(account, 'token_expired');
  },
};
