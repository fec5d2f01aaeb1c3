import type { Reading } from './refusal';
import { quote } from './values';

/** When an agent runs, as it is chosen in the editor. */
export type Schedule =
  | { readonly mode: 'everyHour'; readonly minute: number }
  | { readonly mode: 'everyDay' | 'everyWeekday'; readonly hour: number; readonly minute: number }
  | {
      readonly mode: 'everyWeek';
      /** 0 for Sunday to 6 for Saturday. */
      readonly weekday: number;
      readonly hour: number;
      readonly minute: number;
    };

/** A schedule as a cron expression of five fields (docs/service.md, "POST /agents", `schedule`). */
export function cronOf(schedule: Schedule): string {
  const { mode, minute } = schedule;
  if (mode === 'everyHour') return `${minute} * * * *`;
  const days = { everyDay: '*', everyWeekday: '1-5' };
  const day = mode === 'everyWeek' ? schedule.weekday : days[mode];
  return `${minute} ${schedule.hour} * * ${day}`;
}

const CRON_FIELDS = 5;

const HINT = 'Give five: minute, hour, day of month, month, day of week, such as 0 9 * * 1-5.';

/** Reads a cron expression, with one blank between its fields. The service checks their values. */
export function readCron(text: string): Reading<string> {
  const cron = text.trim().replace(/\s+/g, ' ');
  const fields = cron.split(' ');
  if (fields.length !== CRON_FIELDS) {
    const count = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`;
    return { code: 'numberOfFields', problem: `has ${count} instead of five`, hint: HINT };
  }
  const wrong = fields.find((field) => !/^[\dA-Za-z*/,\-?#]+$/.test(field));
  return wrong === undefined
    ? { value: cron }
    : {
        code: 'notACronField',
        problem: `holds ${quote(wrong)}, which is not a field of a cron expression`,
        hint: HINT,
      };
}
