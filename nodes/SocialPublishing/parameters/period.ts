import type { Reading } from './reading';
import { quote } from './values';

/** A number of days, as people and models write it: `7`, `7d`, `7 days`, `last 7 days`. */
const DAYS = /^(?:the )?(?:last |past )?(?<days>[1-9]\d*) ?(?:d|days?)?$/i;

/**
 * Reads a period of analytics (docs/service.md, "GET /analytics").
 *
 * @returns it as the service takes it, such as `30d`
 */
export function readPeriod(text: string): Reading<string> {
  const days = DAYS.exec(text.trim())?.groups?.days;
  return days === undefined
    ? {
        problem: `is ${quote(text)}, which is not a number of days`,
        hint: 'Enter a period such as 30d.',
      }
    : { value: `${days}d` };
}
