import { Info, type Zone } from 'luxon';

import { isObject } from '../../../shared/json';
import { type Reading, type Refusal, wrong } from '../refusal';
import { isEmpty, quote } from '../values';
import { zoneOfPlace } from './zoneList';

/** Letters that name a zone in one country and another zone in the next; UTC and GMT do not. */
export const isAbbreviation = (name: string): boolean =>
  /^[A-Z]{1,5}$/i.test(name) && !/^(UTC|GMT|Z)$/i.test(name);

/** A time zone by its name; `undefined` for an abbreviation other than UTC and GMT. */
export function zoneOf(name: string): Zone | undefined {
  const isPlace = /^[A-Z][a-z]+$/.test(name);
  if ((isAbbreviation(name) && !isPlace) || /^\d/.test(name)) return undefined;
  const zone = Info.normalizeZone(name);
  return zone.isValid && zone.type !== 'system' ? zone : undefined;
}

const zoneProblem = (name: string): Refusal => ({
  code: isAbbreviation(name) ? 'ambiguousZone' : 'noSuchZone',
  problem: isAbbreviation(name)
    ? `is ${quote(name)}, which is the name of several time zones`
    : `is ${quote(name)}, which is not a time zone`,
  hint: 'Choose one from the list, such as Europe/Berlin.',
});

/** The name of a zone that an expression gives as an object, such as `$now.zone`. */
const nameOf = (value: unknown): unknown =>
  isObject(value) && typeof value.name === 'string' ? value.name : value;

/** Reads a zone: its name, a city or country in it, or a zone object; when empty, the workflow's. */
export function readZone(value: unknown, ofWorkflow: string): Reading<Zone> {
  const given = nameOf(value);
  if (typeof given !== 'string' && !isEmpty(given)) {
    return wrong(
      `is ${quote(value)}, which is not the name of a time zone`,
      'Choose one from the list, or give its name as text, such as Europe/Berlin.',
      'noSuchZone',
    );
  }
  const name = isEmpty(given) ? ofWorkflow : String(given).trim();
  const zone = zoneOf(name) ?? zoneOf(zoneOfPlace(name) ?? '');
  return zone === undefined ? zoneProblem(name) : { value: zone };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * When clocks show a time, in Unix milliseconds: two moments where they are put back, none where
 * they are put forward.
 * @param wall what they show, as if in UTC
 */
export function momentsOf(wall: number, zone: Zone): number[] {
  const offsets = [zone.offset(wall - DAY_MS), zone.offset(wall + DAY_MS)];
  return [...new Set(offsets.map((offset) => wall - offset * 60_000))]
    .filter((moment) => moment + zone.offset(moment) * 60_000 === wall)
    .sort((a, b) => a - b);
}
