import type { INodeProperties } from 'n8n-workflow';

import { LAST_DAY } from '../../freeSlots';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The times of a week among which the next free one is taken. */
export const slots: INodeProperties = {
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
