import type { SocialAccount } from '../records';
import type { Store } from '../records/store';
import type { Scheduler } from '../time/scheduler';
import type { Inbox } from './inbox';

/** How many messages arrive between two expired tokens. */
const messagesPerExpiry = 10;

/**
 * Simulates a live workspace: a message arrives every `intervalMs`. After ten messages the token of
 * the last active account expires. The account reconnects with the next message.
 */
export function simulateTraffic(
  inbox: Inbox,
  store: Store,
  scheduler: Scheduler,
  workspaceId: number,
  intervalMs: number,
): void {
  let messages = 0;
  let expired: SocialAccount | undefined;
  const tick = () => {
    if (expired) expired.isActive = true;
    expired = undefined;
    if (messages > 0 && messages % messagesPerExpiry === 0) {
      expired = store.accountsOf(workspaceId).findLast(({ isActive }) => isActive);
      if (expired) inbox.disconnect(expired, 'token_expired');
      messages = 0;
    } else {
      inbox.receive(workspaceId);
      messages += 1;
    }
    scheduler.at(Date.now() + intervalMs, tick);
  };
  scheduler.at(Date.now() + intervalMs, tick);
}
