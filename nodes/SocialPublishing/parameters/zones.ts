import { Info, type Zone } from 'luxon';

import { isObject } from '../../shared/json';
import type { Reading, Refusal } from './reading';
import { isEmpty, quote } from './values';

/** Letters that name a zone in one country and another zone in the next; UTC and GMT do not. */
export const isAbbreviation = (name: string): boolean =>
  /^[A-Z]{1,5}$/i.test(name) && !/^(UTC|GMT|Z)$/i.test(name);

/**
 * A time zone by its name.
 *
 * @returns the zone, or `undefined` for an abbreviation other than UTC and GMT and for what is none
 */
export function zoneOf(name: string): Zone | undefined {
  const isPlace = /^[A-Z][a-z]+$/.test(name);
  if ((isAbbreviation(name) && !isPlace) || /^\d/.test(name)) return undefined;
  const zone = Info.normalizeZone(name);
  return zone.isValid && zone.type !== 'system' ? zone : undefined;
}

/** The zones that most people choose from, the west first, with more cities in each. */
const COMMON: ReadonlyArray<readonly [zone: string, cities?: string]> = [
  ['Pacific/Honolulu', 'Hawaii'],
  ['America/Anchorage', 'Alaska'],
  ['America/Los_Angeles', 'San Francisco, San Diego, Seattle, Portland, Las Vegas'],
  ['America/Vancouver'],
  ['America/Phoenix', 'Arizona'],
  ['America/Denver', 'Salt Lake City, Albuquerque'],
  ['America/Chicago', 'Dallas, Houston, Austin, San Antonio, New Orleans, Minneapolis'],
  ['America/Mexico_City', 'Guadalajara'],
  ['America/New_York', 'Boston, Washington, Philadelphia, Atlanta, Miami'],
  ['America/Toronto', 'Montreal, Ottawa'],
  ['America/Bogota'],
  ['America/Lima'],
  ['America/Halifax'],
  ['America/Caracas'],
  ['America/Santiago'],
  ['America/Sao_Paulo', 'Rio de Janeiro, Brasília'],
  ['America/Buenos_Aires'],
  ['Europe/London', 'Manchester, Birmingham, Edinburgh, Glasgow, Cardiff, Belfast'],
  ['Europe/Dublin'],
  ['Europe/Lisbon', 'Porto'],
  ['Africa/Lagos'],
  ['Europe/Amsterdam', 'Rotterdam, The Hague'],
  ['Europe/Berlin', 'Munich, Hamburg, Frankfurt, Cologne, Stuttgart, Düsseldorf'],
  ['Europe/Brussels', 'Antwerp'],
  ['Europe/Budapest'],
  ['Europe/Copenhagen'],
  ['Europe/Madrid', 'Barcelona, Valencia, Seville'],
  ['Europe/Oslo'],
  ['Europe/Paris', 'Lyon, Marseille, Toulouse'],
  ['Europe/Prague'],
  ['Europe/Rome', 'Milan, Naples, Turin'],
  ['Europe/Stockholm', 'Gothenburg'],
  ['Europe/Vienna', 'Salzburg, Graz'],
  ['Europe/Warsaw', 'Krakow, Gdansk'],
  ['Europe/Zurich', 'Geneva, Basel, Bern'],
  ['Africa/Johannesburg', 'Cape Town, Durban, Pretoria'],
  ['Africa/Cairo', 'Alexandria'],
  ['Asia/Jerusalem', 'Tel Aviv'],
  ['Europe/Athens'],
  ['Europe/Bucharest'],
  ['Europe/Helsinki'],
  ['Europe/Kiev', 'Lviv, Odesa'],
  ['Africa/Nairobi'],
  ['Asia/Riyadh', 'Jeddah'],
  ['Europe/Istanbul', 'Ankara'],
  ['Europe/Moscow', 'Saint Petersburg'],
  ['Asia/Dubai', 'Abu Dhabi'],
  ['Asia/Karachi', 'Lahore, Islamabad'],
  ['Asia/Calcutta', 'Mumbai, Delhi, Bengaluru, Bangalore, Chennai, Hyderabad'],
  ['Asia/Dhaka'],
  ['Asia/Bangkok'],
  ['Asia/Jakarta', 'Bandung, Surabaya'],
  ['Asia/Saigon', 'Hanoi'],
  ['Asia/Hong_Kong'],
  ['Asia/Kuala_Lumpur'],
  ['Asia/Manila', 'Cebu'],
  ['Asia/Shanghai', 'Beijing, Shenzhen, Guangzhou'],
  ['Asia/Singapore'],
  ['Asia/Taipei'],
  ['Australia/Perth'],
  ['Asia/Seoul', 'Busan'],
  ['Asia/Tokyo', 'Osaka, Kyoto'],
  ['Australia/Brisbane', 'Gold Coast'],
  ['Australia/Sydney', 'Canberra'],
  ['Australia/Melbourne'],
  ['Pacific/Auckland', 'Wellington, Christchurch'],
];

/** Cities whose zone still has the name that the city had before. */
const TODAY: Readonly<Record<string, string>> = {
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Europe/Kiev': 'Kyiv',
};

/** The city that a zone is named after, as people write it. */
const cityOf = (zone: string): string =>
  TODAY[zone] ?? zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

const moreCities = new Map(COMMON.map(([zone, cities = '']) => [zone, cities]));

let known: readonly string[] | undefined;

/** The names of all zones: UTC, those that most people choose from, and all others by their cities. */
const names = (): readonly string[] => (known ??= readNames());

function readNames(): string[] {
  const supported = Intl.supportedValuesOf('timeZone');
  const common = COMMON.map(([zone]) => zone).filter((zone) => supported.includes(zone));
  const others = supported
    .filter((zone) => !common.includes(zone))
    .sort((a, b) => cityOf(a).localeCompare(cityOf(b)));
  return [...new Set(['UTC', ...common, ...others])];
}

const named = (zone: string, style: 'longGeneric' | 'longOffset', now: number): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: style })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Such as `Eastern Time, UTC-05:00`. */
function describe(zone: string, now: number): string {
  const offset = named(zone, 'longOffset', now).replace(/^GMT$/, 'GMT+00:00').replace('GMT', 'UTC');
  const name = named(zone, 'longGeneric', now);
  return /^(GMT|UTC)/.test(name) ? offset : `${name}, ${offset}`;
}

/** A zone as people look for it: its city, what its time is called, its offset, its name, more cities. */
function labelOf(zone: string, now: number): string {
  if (zone === 'UTC') return 'UTC';
  const cities = moreCities.get(zone) ?? '';
  const more = cities === '' ? '' : `; ${cities}`;
  return `${cityOf(zone)} – ${describe(zone, now)} (${zone}${more})`;
}

const HOUR_MS = 60 * 60 * 1000;

let listed: { hour: number; zones: ReadonlyArray<{ name: string; label: string }> } | undefined;

/**
 * All time zones with their labels, such as
 * `New York – Eastern Time, UTC-05:00 (America/New_York; Boston, Miami)`, for a list that is searched
 * by its labels. Worked out once an hour, as it takes a fifth of a second.
 *
 * @param now Unix milliseconds; the offsets are those of that moment
 */
export function zoneList(now: number): ReadonlyArray<{ name: string; label: string }> {
  const hour = Math.floor(now / HOUR_MS);
  if (listed?.hour !== hour) {
    listed = { hour, zones: names().map((name) => ({ name, label: labelOf(name, now) })) };
  }
  return listed.zones;
}

/** What a list says of the zone of the workflow: `Workflow's zone: New York – Eastern Time, …`. */
export function workflowZoneLabel(zone: string, now: number): string {
  return zoneOf(zone)?.type === 'iana'
    ? `Workflow's zone: ${cityOf(zone)} – ${describe(zone, now)} (${zone})`
    : `Workflow's zone: ${zone}`;
}

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The zone of a city, as people write it: `New York`, `mumbai`. */
function zoneOfCity(text: string): Zone | undefined {
  const city = plain(text);
  const name = names().find((zone) =>
    [cityOf(zone), ...(moreCities.get(zone) ?? '').split(', ')].some((one) => plain(one) === city),
  );
  return name === undefined || city === '' ? undefined : zoneOf(name);
}

/** The problem with a time zone that is not known. */
export const zoneProblem = (name: string): Refusal => ({
  code: isAbbreviation(name) ? 'ambiguousZone' : 'noSuchZone',
  problem: isAbbreviation(name)
    ? `is ${quote(name)}, which is the name of several time zones`
    : `is ${quote(name)}, which is not a time zone`,
  hint: 'Choose one from the list, such as Europe/Berlin.',
});

/** The name of a zone that an expression gives as an object, such as `$now.zone`. */
const nameOf = (value: unknown): unknown =>
  isObject(value) && typeof value.name === 'string' ? value.name : value;

/**
 * Reads a time zone: its name, a city, or a zone object.
 *
 * @param ofWorkflow the name of the zone that holds when the field is empty
 */
export function readZone(value: unknown, ofWorkflow: string): Reading<Zone> {
  const given = nameOf(value);
  if (typeof given !== 'string' && !isEmpty(given)) {
    return {
      code: 'noSuchZone',
      problem: `is ${quote(value)}, which is not the name of a time zone`,
      hint: 'Choose one from the list, or give its name as text, such as Europe/Berlin.',
    };
  }
  const name = isEmpty(given) ? ofWorkflow : String(given).trim();
  const zone = zoneOf(name) ?? zoneOfCity(name);
  return zone === undefined ? zoneProblem(name) : { value: zone };
}
