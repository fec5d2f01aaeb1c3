import type { Sandbox } from '../../sandbox';
import type { SocialAccount } from '../../sandbox/records/account';
import type { Agent } from '../../sandbox/records/agent';

/** Adds an account to the first workspace of a sandbox: "X: Blue Door Bakery (@bakery)", unless told. */
export const addAccount = ({ store }: Sandbox, more: Partial<SocialAccount> = {}): SocialAccount =>
  store.addAccount({
    workspaceId: 1,
    platform: 'x',
    platformUsername: 'bakery',
    displayName: 'Blue Door Bakery',
    ...more,
  });

/** Adds an agent to the first workspace of a sandbox: "Morning Ideas", which is active, unless told. */
export const addAgent = ({ store }: Sandbox, more: Partial<Agent> = {}): Agent =>
  store.addAgent({
    workspaceId: 1,
    name: 'Morning Ideas',
    type: 'content',
    isActive: true,
    schedule: '0 6 * * *',
    nextRunAt: '2035-01-01T06:00:00.000Z',
    ...more,
  });
