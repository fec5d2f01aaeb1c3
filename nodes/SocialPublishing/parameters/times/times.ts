import { DateTime, type Zone } from 'luxon';

import type { Refusal } from '../refusal';
import { type DateOrder, startOfDay } from './days';
import { partsOf } from './parts';
import { refusedTime, type Unread } from './suggestion';
import { momentsOf, zoneOf } from './zones';

/** A time as the service takes it. */
export interface Moment {
  /** ISO 8601 in UTC with milliseconds and a trailing Z (docs/service.md, "Times"). */
  readonly utc: string;
  /** Whether clocks show this time twice, and the first of the two was taken. */
  readonly comesTwice: boolean;
  /** Whether a date came without a time of day, and midnight was taken. */
  readonly dateOnly: boolean;
}

/** A time, or why it is refused. */
export type TimeReading = Moment | Refusal;

/** What a text means that can be read in several ways. */
export interface TimeOptions {
  /** The zone that holds for a text without an offset: see {@link zoneOf}. */
  readonly zone: Zone;
  readonly order: DateOrder;
}

/** No date is longer, and what is longer costs nothing to refuse. */
const LONGEST = 80;

/** A text with plain blanks, dashes and apostrophes, and without invisible characters. */
const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}|\u2212/gu, '-')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    // The editor writes a DateTime so when an expression is switched to Fixed.
    .replace(/^\[DateTime: (.*)\]$/, '$1')
    // A spreadsheet hides the sign that keeps a cell from being read as a number.
    .replace(/^'/, '')
    // JavaScript writes the name of a zone after its offset.
    .replace(/(?<=[+-]\d{4}) \([^)]*\)$/, '');

const ZONE_NAME = /(?:\[(?<bracketed>[\w/+-]+)\]| (?<named>[A-Za-z_]+(?:\/[\w+-]+)+))$/;

/** A text without the name of a zone at its end, and that zone. */
function withoutZone(text: string, zone: Zone): readonly [text: string, zone: Zone] {
  const { index, groups: { bracketed, named = bracketed } = {} } = ZONE_NAME.exec(text) ?? {};
  const own = named === undefined ? undefined : zoneOf(named);
  return own === undefined ? [text, zone] : [text.slice(0, index), own];
}

/**
 * Reads a time and writes it as the service takes it: the forms are in forms.ts, beside Unix
 * seconds (10 digits), milliseconds (13 digits) and date objects. An offset in the text wins over
 * every zone name; a zone name in the text wins over the zone given. A date that may mean two days
 * is refused, and so is a time that clocks skip; of one that comes twice, the first is taken.
 */
export function readTime(value: unknown, { zone, order }: TimeOptions): TimeReading {
  const refused = (code: Unread, detail?: string): Refusal =>
    refusedTime(code, value, zone.name, detail);
  const sent = (moment: number, comesTwice = false, dateOnly = false): TimeReading => {
    const utc = Number.isNaN(moment) ? '' : new Date(moment).toISOString();
    return /^\d{4}-/.test(utc) ? { utc, comesTwice, dateOnly } : refused('unreadableTime');
  };
  if (DateTime.isDateTime(value) || value instanceof Date) return sent(value.valueOf());
  const given = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (given.length > LONGEST) return refused('unreadableTime');
  const [text, own] = withoutZone(visible(given), zone);
  if (/^\d{10}$/.test(text)) return sent(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return sent(Number(text));
  const parts = partsOf(text);
  if (typeof parts !== 'object') return refused(parts ?? 'unreadableTime');
  const start = startOfDay(parts, order);
  if (typeof start !== 'number') return refused(...start);
  if (parts.time === undefined) return refused('noSuchTime');
  const wall = start + parts.time;
  const { offset } = parts;
  if (typeof offset === 'string') return refused('ambiguousZone', offset);
  if (offset !== undefined) {
    return Number.isNaN(offset) ? refused('noSuchOffset') : sent(wall - offset * 60_000);
  }
  const [first, second] = momentsOf(wall, own);
  return first === undefined
    ? refused('skippedHour', own.name)
    : sent(first, second !== undefined, parts.dateOnly);
}
