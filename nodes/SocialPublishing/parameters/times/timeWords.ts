import { DateTime, FixedOffsetZone } from 'luxon';

import { zoneOf } from './zones';

const counted = (number: number, unit: string): string =>
  `${number} ${unit}${number === 1 ? '' : 's'}`;

/** How far a time is from now: `in 10 minutes`, `2 days ago`, `now`. */
function distance(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  if (minutes === 0) return 'now';
  const hours = Math.floor(minutes / 60);
  const days = Math.round(minutes / (24 * 60));
  const rest = minutes % 60;
  const words =
    hours === 0
      ? counted(minutes, 'minute')
      : hours < 48
        ? `${counted(hours, 'hour')}${rest === 0 ? '' : ` ${counted(rest, 'minute')}`}`
        : counted(days, 'day');
  return milliseconds < 0 ? `${words} ago` : `in ${words}`;
}

/** A moment as people read it: `Sat 21 Nov 2026, 20:40 (Europe/Berlin)`. */
export function momentInWords(time: number, zoneName: string): string {
  const zone = zoneOf(zoneName) ?? FixedOffsetZone.utcInstance;
  const date = DateTime.fromMillis(time, { zone, locale: 'en' }).toFormat('ccc d LLL yyyy, HH:mm');
  return `${date} (${zone.name})`;
}

/** `Sat 21 Nov 2026, 20:40 (Europe/Berlin), in 10 minutes`, from Unix milliseconds. */
export function timeInWords(time: number, zoneName: string, now: number): string {
  return `${momentInWords(time, zoneName)}, ${distance(time - now)}`;
}
