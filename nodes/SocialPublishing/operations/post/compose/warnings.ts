import { type DueTime, TOLERATED_MS } from './time';

/** What the warnings about the time of a post depend on. */
interface PostTiming {
  /** Unix milliseconds. */
  readonly due: number | undefined;
  readonly now: number;
  readonly isScheduled: boolean;
  readonly body: { readonly scheduledAt?: unknown };
}

/** What the user should know of the time of a post, in words. */
export function warningsOf(time: DueTime, { due, now, isScheduled, body }: PostTiming): string[] {
  return [
    ...(isScheduled && due !== undefined && due < now - TOLERATED_MS
      ? ['The time has passed, so the service publishes at once']
      : []),
    ...(time.comesTwice && body.scheduledAt === time.utc
      ? [
          `Clocks in ${time.zone} show this time twice that day. The first of the two counts. For the second, add its offset after the time`,
        ]
      : []),
  ];
}
