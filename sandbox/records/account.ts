import type { ErrorDetails } from './error-details';

export interface SocialAccount {
  id: number;
  workspaceId: number;
  /** The identifier of the platform, such as `instagram`. */
  platform: string;
  platformUsername: string;
  displayName: string;
  isActive: boolean;
  /** The secrets of the connection. They exist so that tests can detect a leak. */
  accessToken: string;
  refreshToken: string;
  /** When set, publishing to this account fails with it. */
  failure?: ErrorDetails | undefined;
}
