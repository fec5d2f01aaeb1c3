import { Cron } from 'croner';

/**
 * The next time after `after` at which a cron expression of five fields is due, in UTC.
 * @returns undefined when it is never due
 * @throws Error that says what is wrong with the expression
 */
export function nextRun(expression: string, after: Date): Date | undefined {
  if (expression.split(' ').filter(Boolean).length !== 5) {
    throw new Error('it needs five fields, separated by spaces');
  }
  return new Cron(expression, { mode: '5-part', timezone: 'UTC' }).nextRun(after) ?? undefined;
}
