import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { CUSTOM } from '../../parameters/fieldReader';

/** The fields that Create and Update share. */

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
  {
    displayName: 'Custom Type',
    name: 'customType',
    type: 'string',
    default: '',
    displayOptions: { show: { type: [CUSTOM] } },
    description: 'The type as the service writes it',
  },
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
