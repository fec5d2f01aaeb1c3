import type { Sandbox } from '../../sandbox';

/** Adds an account to the first workspace of a sandbox: "X: Blue Door Bakery (@bakery)". */
export const addAccount = ({ store }: Sandbox): void => {
  store.addAccount({
    workspaceId: 1,
    platform: 'x',
    platformUsername: 'bakery',
    displayName: 'Blue Door Bakery',
  });
};
