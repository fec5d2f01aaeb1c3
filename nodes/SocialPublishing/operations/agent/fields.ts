import type {
  IDataObject,
  IDisplayOptions,
  INodeProperties,
  INodePropertyOptions,
} from 'n8n-workflow';

import type { Identity } from '../../idempotency/intent';
import { CUSTOM } from '../../parameters/choice';
import type { Item } from '../../parameters/item';
import { cronOf, readCron, type Schedule } from '../../parameters/schedule';
import { COMMAS, quote, withoutEmpty } from '../../parameters/values';
import { customValueField } from '../fields';
import type { Note } from '../operation';

/** The fields that Create and Update share, and what they mean to the service. */

export const nameField: INodeProperties = {
  displayName: 'Name',
  name: 'name',
  type: 'string',
  default: '',
  placeholder: 'e.g. Morning posts',
  description: 'The name of the agent',
};

const TYPES: INodePropertyOptions[] = [
  { name: 'Content', value: 'content', description: 'Creates content' },
  { name: 'Custom', value: CUSTOM, description: 'Another type that your service knows' },
  { name: 'Engagement', value: 'engagement', description: 'Engages with the audience' },
  { name: 'SEO', value: 'seo', description: 'Works on search engine optimization' },
];

export const typeFields: INodeProperties[] = [
  {
    displayName: 'Type',
    name: 'type',
    type: 'options',
    default: 'content',
    options: TYPES,
    description: 'What the agent works on',
  },
  customValueField('type', { displayName: 'Custom Type', name: 'customType' }),
];

const MODES: INodePropertyOptions[] = [
  { name: 'Cron Expression', value: 'cron', description: 'Five fields, for any schedule' },
  { name: 'Every Day', value: 'everyDay' },
  { name: 'Every Hour', value: 'everyHour' },
  { name: 'Every Week', value: 'everyWeek' },
  { name: 'Every Weekday', value: 'everyWeekday', description: 'Monday to Friday' },
];

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const shownIn = (...modes: string[]): IDisplayOptions => ({
  show: { scheduleMode: modes },
});

export const scheduleFields: INodeProperties[] = [
  {
    displayName: 'Schedule',
    name: 'scheduleMode',
    type: 'options',
    default: 'everyDay',
    options: MODES,
    description:
      'When the agent runs, in the time zone of the service. Sent as a cron expression, which is shown above the output.',
  },
  {
    displayName: 'Weekday',
    name: 'weekday',
    type: 'options',
    default: 1,
    options: WEEKDAYS.map((name, value) => ({ name, value })),
    displayOptions: shownIn('everyWeek'),
    description: 'The day of the week on which the agent runs',
  },
  {
    displayName: 'Hour',
    name: 'hour',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 23 },
    default: 9,
    displayOptions: shownIn('everyDay', 'everyWeekday', 'everyWeek'),
    description: 'The hour at which the agent runs, from 0 to 23',
  },
  {
    displayName: 'Minute',
    name: 'minute',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 59 },
    default: 0,
    displayOptions: shownIn('everyHour', 'everyDay', 'everyWeekday', 'everyWeek'),
    description: 'The minute of the hour at which the agent runs, from 0 to 59',
  },
  {
    displayName: 'Cron Expression',
    name: 'schedule',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. 0 9 * * 1-5',
    displayOptions: shownIn('cron'),
    hint: 'Minute, hour, day of month, month, day of week',
    description: 'When the agent runs, as five fields with spaces between them',
  },
];

export const activeField: INodeProperties = {
  displayName: 'Active',
  name: 'isActive',
  type: 'boolean',
  default: true,
  description: 'Whether the agent runs on its schedule',
};

export const configField: INodeProperties = {
  displayName: 'Config',
  name: 'config',
  type: 'collection',
  placeholder: 'Add Setting',
  default: {},
  options: [
    {
      displayName: 'AI Provider',
      name: 'aiProvider',
      type: 'string',
      default: '',
      description: 'The AI provider that the agent uses, as the service names it',
    },
    {
      displayName: 'Target Platforms',
      name: 'targetPlatforms',
      type: 'string',
      default: '',
      placeholder: 'e.g. instagram, linkedin',
      description:
        'The platforms that the agent works on, with commas between them. An expression may give an array.',
    },
  ],
};

export const configJsonOption: INodeProperties = {
  displayName: 'Config (JSON)',
  name: 'configJson',
  type: 'json',
  default: '{}',
  description:
    'A JSON object to merge into the config of the agent. Its fields override those of Config.',
};

/** @returns the config of the agent, or `undefined` when nothing is set */
export function configOf(item: Item, path: string): IDataObject | undefined {
  const config = {
    ...withoutEmpty({
      targetPlatforms: item.list(`${path}.targetPlatforms`, COMMAS),
      aiProvider: item.text(`${path}.aiProvider`),
    }),
    ...item.jsonObject('options.configJson'),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

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

/**
 * The schedule that the fields choose, as a cron expression.
 *
 * @param prefix where the fields are: empty, or such as `updateFields.schedule.`
 */
export function cronAt(item: Item, prefix: string): string {
  const mode = item.text(`${prefix}scheduleMode`) ?? 'everyDay';
  if (mode !== 'cron') return cronOf(scheduleOf(item, mode, prefix));
  const path = `${prefix}schedule`;
  return item.accept(
    path,
    readCron(item.requiredText(path, 'Enter five fields, such as 0 9 * * 1-5.')),
  );
}

/** What is shown above the output for the schedule that a body sends, if it sends one. */
export const scheduleNote = ({ schedule }: IDataObject): { readonly note?: Note } =>
  typeof schedule === 'string'
    ? {
        note: {
          info: `Schedule sent: ${schedule} (minute, hour, day of month, month, day of week)`,
        },
      }
    : {};

const BODY_FIELDS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['type', 'type'],
  ['schedule', 'scheduleMode'],
  ['isActive', 'isActive'],
  ['config', 'config'],
  ['config.aiProvider', 'config.aiProvider'],
  ['config.targetPlatforms', 'config.targetPlatforms'],
]);

/**
 * The field of the editor for one of the body, as the service names it; `undefined` when there is none.
 *
 * @param prefix where the fields are: empty, or `updateFields.`
 */
export function agentField(item: Item, bodyPath: string, prefix: string): string | undefined {
  const path = BODY_FIELDS.get(bodyPath.replace(/\[\d+\]$/, ''));
  return path === undefined ? undefined : item.label(`${prefix}${path}`);
}

/** What an agent is recognized by: its name or ID, and what it is given. */
export const agentIdentity = (text: readonly unknown[], given: IDataObject): Identity => ({
  text,
  content: text,
  full: [text, given],
  moment: undefined,
});
