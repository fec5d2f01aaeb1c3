import type { IDataObject } from 'n8n-workflow';

import type { Identity } from '../../idempotency/intent';
import type { Item } from '../../parameters/item';
import { readCron } from '../../parameters/readers';
import { quote, withoutEmpty } from '../../parameters/values';
import type { ItemWrite, Note } from '../operation';

/** What to do about a field that is empty, by its name. */
type Hints = Readonly<Record<'name' | 'type' | 'isActive', string>>;

/**
 * What an agent is given by those fields that the user has filled in.
 * @param prefix empty, or `updateFields.`
 */
export function agentParts(
  item: Item,
  prefix: string,
  hints: Hints,
  isGiven: (name: string) => boolean = () => true,
): IDataObject {
  const part = <T>(name: string, read: (path: string) => T): T | undefined =>
    isGiven(name) ? read(`${prefix}${name}`) : undefined;
  return withoutEmpty({
    name: part('name', (path) => item.requiredText(path, hints.name)),
    type: part(
      'type',
      (path) =>
        item.choice(path, `${prefix}customType`) ?? item.refuse(path, 'is empty', hints.type),
    ),
    schedule: part('scheduleMode', () => cronAt(item, prefix)),
    isActive: part('isActive', (path) => item.requiredSwitch(path, hints.isActive)),
    config: configOf(item, `${prefix}config`),
  });
}

/** @returns the config of the agent, or `undefined` when nothing is set */
function configOf(item: Item, path: string): IDataObject | undefined {
  const targetPlatforms = item.list(`${path}.targetPlatforms`);
  const config = {
    ...withoutEmpty({
      targetPlatforms: targetPlatforms.length === 0 ? undefined : targetPlatforms,
      aiProvider: item.text(`${path}.aiProvider`),
    }),
    ...item.jsonObject('options.configJson'),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

/** The chosen schedule as a cron expression. @param prefix empty, or `updateFields.` */
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
const scheduleNote: Note = {
  info: ({ isActive, schedule }) => {
    if (typeof schedule !== 'string') return undefined;
    const state = isActive === true ? 'active' : isActive === false ? 'paused' : 'unknown';
    return `Schedule (${state}): ${schedule} (minute, hour, day of month, month, day of week)`;
  },
};

/** The fields of the body that the editor has. */
const KNOWN = /^(?:name|type|schedule|isActive|config(?:\.(?:aiProvider|targetPlatforms))?)$/;

/**
 * The write of an agent.
 * @param said what it is recognized by: its name or ID, and what it is given
 * @param prefix empty, or `updateFields.`
 */
export const agentWrite = (
  item: Item,
  body: IDataObject,
  said: Identity['full'],
  prefix: string,
): ItemWrite => ({
  body,
  identity: { full: said, moment: undefined },
  note: scheduleNote,
  fieldFor: (bodyPath) => {
    const name = bodyPath.replace(/\[\d+\]$/, '');
    if (name === 'id') return prefix === '' ? undefined : item.label('agentId');
    return KNOWN.test(name)
      ? item.label(`${prefix}${name === 'schedule' ? 'scheduleMode' : name}`)
      : undefined;
  },
});
