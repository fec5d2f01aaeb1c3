import type { Item } from '../../parameters/item';
import { cronOf, readCron, type Schedule } from '../../parameters/schedule';
import { quote } from '../../parameters/values';
import type { Note } from '../operation';

function bounded(item: Item, path: string, most: number): number {
  const number = item.integer(path) ?? item.refuse(path, 'is empty', `Enter 0 to ${most}.`);
  return number <= most
    ? number
    : item.refuse(path, `is ${number}, which is too large`, `Enter 0 to ${most}.`);
}

function scheduleOf(item: Item, mode: string, prefix: string): Schedule {
  const hour = (): number => bounded(item, `${prefix}hour`, 23);
  const minute = bounded(item, `${prefix}minute`, 59);
  if (mode === 'everyHour') return { mode, minute };
  if (mode === 'everyDay' || mode === 'everyWeekday') return { mode, minute, hour: hour() };
  if (mode === 'everyWeek') {
    return { mode, minute, hour: hour(), weekday: bounded(item, `${prefix}weekday`, 6) };
  }
  return item.refuse(`${prefix}scheduleMode`, `is ${quote(mode)}`, 'Select when the agent runs.');
}

/** The chosen schedule as a cron expression. @param prefix empty, or such as `updateFields.` */
export function cronAt(item: Item, prefix: string): string {
  const mode = item.text(`${prefix}scheduleMode`) ?? 'everyDay';
  if (mode !== 'cron') return cronOf(scheduleOf(item, mode, prefix));
  const path = `${prefix}schedule`;
  return item.accept(
    path,
    readCron(item.requiredText(path, 'Enter five fields, such as 0 9 * * 1-5.')),
  );
}

/** What is shown above the output of an agent that came back: whether it runs, and when. */
export const scheduleNote: Note = {
  info: ({ isActive, schedule }) => {
    if (typeof schedule !== 'string') return undefined;
    const state = isActive === true ? 'active' : isActive === false ? 'paused' : 'unknown';
    return `Schedule (${state}): ${schedule} (minute, hour, day of month, month, day of week)`;
  },
};
