import type { INodeProperties } from 'n8n-workflow';

import { filledByModel, filledByPeople, loadedBy } from '../../fields';
import { LAST_DAY } from '../../freeSlots';

/** When a post is published. */

const publish: INodeProperties = {
  displayName: 'Publish',
  name: 'publish',
  type: 'options',
  default: 'at',
  options: [
    { name: 'After a Delay', value: 'after', description: 'Counted from when the node runs' },
    { name: 'As Soon as Possible', value: 'now', description: 'When the node runs' },
    { name: 'At a Date and Time', value: 'at', description: 'In the time zone below' },
    {
      name: 'At a Date and Time, Else in the Next Free Slot',
      value: 'atOrSlot',
      description: 'For a list in which some posts have a date: where it is empty, a slot is taken',
    },
    {
      name: 'In the Next Free Slot',
      value: 'slot',
      description: 'The first time of your week that no post has yet',
    },
  ],
  description: 'When the service publishes the post',
};

const scheduledAt: INodeProperties = {
  displayName: 'Date and Time',
  name: 'scheduledAt',
  type: 'dateTime',
  required: true,
  default: '',
  placeholder: 'e.g. 2026-12-05 09:00:00',
  displayOptions: { show: { publish: ['at', 'atOrSlot'] } },
  hint: 'Read in the time zone below, unless it has an offset such as +01:00',
  description:
    'When to publish. If you type a time, type its seconds, too: 09:00:00. An expression may give a date as people write it, such as 25.12.2026 09:00 or 5 Dec 2026 9am, or the number that a spreadsheet keeps a date as. When clocks go back, an hour comes twice: the first is taken. An hour that clocks skip is refused.',
};

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The times of a week among which the next free one is taken. */
const slots: INodeProperties = {
  displayName: 'Slots',
  name: 'slots',
  type: 'fixedCollection',
  typeOptions: {
    multipleValues: true,
    multipleValueButtonText: 'Add Times',
    minRequiredFields: 1,
  },
  placeholder: 'Add Times',
  default: { slot: [{ days: [1, 2, 3, 4, 5], times: '' }] },
  displayOptions: { show: { publish: ['slot', 'atOrSlot'] } },
  description: `The times of a week at which posts go out. Each item gets the next one that no post of the workspace has yet, up to ${LAST_DAY} days ahead. Reads all posts of the workspace once for all items.`,
  options: [
    {
      displayName: 'Times',
      name: 'slot',
      values: [
        {
          displayName: 'Days',
          name: 'days',
          type: 'multiOptions',
          required: true,
          default: [1, 2, 3, 4, 5],
          options: DAYS.map((name, index) => ({ name, value: index + 1 })),
          description: 'On which days of the week',
        },
        {
          displayName: 'Times',
          name: 'times',
          type: 'string',
          required: true,
          default: '',
          placeholder: 'e.g. 09:00, 17:30',
          description: 'Times of the day with commas between them, in the time zone below',
        },
      ],
    },
  ],
};

/** Tells the list of time zones which one the workflow has: n8n gives it there no other way. */
export const WORKFLOW_ZONE: INodeProperties = {
  displayName: 'Time Zone of the Workflow',
  name: 'workflowTimeZone',
  type: 'hidden',
  default: '={{ $now.zoneName }}',
  displayOptions: { show: { publish: ['at', 'atOrSlot', 'slot'] } },
};

const timeZone: INodeProperties = {
  displayName: 'Time Zone',
  name: 'timeZone',
  type: 'options',
  typeOptions: loadedBy('getTimeZones', [WORKFLOW_ZONE.name]),
  allowArbitraryValues: true,
  default: '',
  displayOptions: { show: { publish: ['at', 'atOrSlot', 'slot'] } },
  description:
    'The zone that the date or the slots are in. Type a city or a country to find its zone. An expression may give one, or a name such as Europe/Berlin. An offset in the date itself wins.',
};

const delay: INodeProperties[] = [
  {
    displayName: 'Delay',
    name: 'delayAmount',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 10,
    displayOptions: { show: { publish: ['after'] } },
    description: 'How long to wait before publishing, counted from when the node runs',
  },
  {
    displayName: 'Unit',
    name: 'delayUnit',
    type: 'options',
    default: 'minutes',
    options: [
      { name: 'Days', value: 'days' },
      { name: 'Hours', value: 'hours' },
      { name: 'Minutes', value: 'minutes' },
    ],
    displayOptions: { show: { publish: ['after'] } },
    description: 'The unit of the delay',
  },
];

/** When to publish, and what each choice needs. */
export const timeFields: INodeProperties[] = [
  publish,
  filledByPeople(scheduledAt),
  filledByModel(scheduledAt, {
    key: 'publish_at',
    tells:
      'When to publish, as ISO 8601 such as 2026-11-21T18:30 (in the time zone of the workflow) or 2026-11-21T18:30+01:00. Must not be in the past.',
  }),
  slots,
  timeZone,
  WORKFLOW_ZONE,
  ...delay,
];
