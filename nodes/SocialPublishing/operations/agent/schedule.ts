import type { Item } from '../../parameters/item';
import { readCron } from '../../parameters/readers';
import { quote } from '../../parameters/values';
import type { Note } from '../operation';

/** The chosen schedule as a cron expression. @param prefix empty, or such as `updateFields.` */
export function cronAt(item: Item, prefix: string): string {
  const mode = item.text(`${prefix}scheduleMode`) ?? 'everyDay';
  if (mode === 'cron') {
    const path = `${prefix}schedule`;
    const text = item.requiredText(path, 'Enter five fields, such as 0 9 * * 1-5.');
    return item.accept(path, readCron(text));
  }
  const upTo = (most: number, name: string): number => {
    const path = `${prefix}${name}`;
    const hint = `Enter 0 to ${most}.`;
    const number = item.integer(path) ?? item.refuse(path, 'is empty', hint);
    return number <= most ? number : item.refuse(path, `is ${number}, which is too large`, hint);
  };
  const minute = upTo(59, 'minute');
  if (mode === 'everyHour') return `${minute} * * * *`;
  const daily = (day: () => number | string): string =>
    `${minute} ${upTo(23, 'hour')} * * ${day()}`;
  if (mode === 'everyDay') return daily(() => '*');
  if (mode === 'everyWeekday') return daily(() => '1-5');
  if (mode === 'everyWeek') return daily(() => upTo(6, 'weekday'));
  return item.refuse(`${prefix}scheduleMode`, `is ${quote(mode)}`, 'Select when the agent runs.');
}

/** What is shown above the output of an agent that came back: whether it runs, and when. */
export const scheduleNote: Note = {
  info: ({ isActive, schedule }) => {
    if (typeof schedule !== 'string') return undefined;
    const state = isActive === true ? 'active' : isActive === false ? 'paused' : 'unknown';
    return `Schedule (${state}): ${schedule} (minute, hour, day of month, month, day of week)`;
  },
};
