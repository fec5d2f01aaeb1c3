import type { ErrorDetails } from './error-details';

export interface Agent {
  id: number;
  workspaceId: number;
  name: string;
  type: string;
  isActive: boolean;
  /** A cron expression of five fields, in UTC. */
  schedule: string;
  /** Absent before the first run. */
  lastRunAt?: string;
  /** The next time the schedule is due. An inactive agent doesn't run then. */
  nextRunAt: string;
  config: Record<string, unknown>;
  /** When set, each run of this agent fails with it. */
  failure?: ErrorDetails | undefined;
  /** Request fields that the specification doesn't list. */
  extra: Record<string, unknown>;
}
