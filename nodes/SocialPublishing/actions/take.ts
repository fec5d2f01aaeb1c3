import type { Item } from './item';

/** How many records Return All and Limit ask for; `Infinity` for all. */
export const take = (item: Item): number =>
  item.boolean('returnAll')
    ? Infinity
    : (item.positiveInteger('limit') ??
      item.refuse('limit', 'is empty', 'Enter a number, or turn on Return All.'));
