import { Cron } from 'croner';

/**
 * When a cron expression of five fields falls due next, in UTC.
 * @returns undefined when it never does
 * @throws Error that says what is wrong with the expression
 */
export function nextRun(expression: string, after: Date): Date | undefined {
  if (expression.split(' ').filter(Boolean).length !== 5) {
    throw new Error('a cron expression has five fields, separated by spaces');
  }
  return new Cron(expression, { mode: '5-part', timezone: 'UTC' }).nextRun(after) ?? undefined;
}
