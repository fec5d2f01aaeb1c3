import { Info } from 'luxon';

import { folded } from '../values';

/** The zones that most choose from in countries with several; elsewhere, the country finds the zone. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ['Pacific/Honolulu', 'Hawaii'],
  ['America/Anchorage', 'Alaska'],
  ['America/Los_Angeles', 'San Francisco, San Diego, Seattle, Portland, Las Vegas'],
  ['America/Vancouver', 'British Columbia'],
  ['America/Phoenix', 'Arizona'],
  ['America/Denver', 'Salt Lake City, Albuquerque'],
  ['America/Chicago', 'Dallas, Houston, Austin, San Antonio, New Orleans, Minneapolis'],
  ['America/Mexico_City', 'Guadalajara'],
  ['America/New_York', 'Boston, Washington, Philadelphia, Atlanta, Miami'],
  ['America/Toronto', 'Montreal, Ottawa'],
  ['America/Sao_Paulo', 'Rio de Janeiro, Brasília'],
  ['Asia/Jakarta', 'Bandung, Surabaya'],
  ['Australia/Perth', 'Western Australia'],
  ['Australia/Brisbane', 'Gold Coast'],
  ['Australia/Sydney', 'Canberra'],
  ['Australia/Melbourne', 'Victoria'],
]);

/** What cities are called today whose zone has an old name. */
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

/** What Intl calls a zone, or its offset, in English. */
const nameIn = (
  zone: string,
  style: 'longGeneric' | 'shortGeneric' | 'longOffset',
  now?: number,
): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: style })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** The country with this zone alone, as in `Germany Time`, and other cities in the zone. */
function morePlacesOf(zone: string): string[] {
  const country = /^(?<name>.+) Time$/.exec(nameIn(zone, 'shortGeneric'))?.groups?.name;
  const cities = COMMON.get(zone)?.split(', ') ?? [];
  return country === undefined || country === cityOf(zone) ? cities : [country, ...cities];
}

let named: ReadonlyMap<string, readonly string[]> | undefined;

/** All zones with more places in each, the most chosen first. Takes a tenth of a second, once. */
function zonePlaces(): ReadonlyMap<string, readonly string[]> {
  if (named !== undefined) return named;
  const supported = Intl.supportedValuesOf('timeZone');
  const common = [...COMMON.keys()].filter((zone) => supported.includes(zone));
  const others = supported.sort((a, b) => cityOf(a).localeCompare(cityOf(b)));
  return (named = new Map(['UTC', ...common, ...others].map((zone) => [zone, morePlacesOf(zone)])));
}

let byPlace: ReadonlyMap<string, string> | undefined;

/** The zone of a city or country, as people write it: `New York`, `germany`. */
export function zoneOfPlace(text: string): string | undefined {
  byPlace ??= new Map(
    [...zonePlaces()]
      .flatMap(([zone, more]) =>
        [cityOf(zone), ...more].map((place) => [folded(place), zone] as const),
      )
      // Of two, the first counts.
      .reverse(),
  );
  return byPlace.get(folded(text));
}

/** The offsets of a zone in January and July: `UTC-05:00/-04:00`. */
function offsetsOf(zone: string, year: number): string {
  const offsets = [0, 6].map(
    (month) => nameIn(zone, 'longOffset', Date.UTC(year, month)).replace('GMT', '') || '+00:00',
  );
  return `UTC${[...new Set(offsets)].join('/')}`;
}

/** What the time of a zone is called, and its offsets: `Eastern Time, UTC-05:00/-04:00`. */
function timeOf(zone: string, year: number): string {
  const name = nameIn(zone, 'longGeneric', Date.UTC(year));
  const offsets = offsetsOf(zone, year);
  return /^(GMT|UTC)/.test(name) ? offsets : `${name}, ${offsets}`;
}

/** A zone as people look for it: its city, what its time is called, its offsets, its name, more places. */
const zoneLabel = (zone: string, more: readonly string[], year: number): string =>
  zone === 'UTC'
    ? zone
    : `${cityOf(zone)} – ${timeOf(zone, year)} (${[zone, more.join(', ')].filter(Boolean).join('; ')})`;

let listed: { year: number; zones: ReadonlyArray<{ name: string; label: string }> } | undefined;

/**
 * All zones, with labels such as `New York – Eastern Time, UTC-05:00/-04:00 (America/New_York;
 * Boston, Miami)`. Takes a fifth of a second, once a year.
 * @param now Unix milliseconds
 */
export function zoneList(now: number): ReadonlyArray<{ name: string; label: string }> {
  const year = new Date(now).getUTCFullYear();
  if (listed?.year !== year) {
    const zones = [...zonePlaces()].map(([name, more]) => ({
      name,
      label: zoneLabel(name, more, year),
    }));
    listed = { year, zones };
  }
  return listed.zones;
}

/** What a list says of the zone of the workflow: `Workflow's zone: New York, UTC-05:00/-04:00 (…)`. */
export function workflowZoneLabel(zone: string, now: number): string {
  return Info.normalizeZone(zone).type === 'iana'
    ? `Workflow's zone: ${cityOf(zone)}, ${offsetsOf(zone, new Date(now).getUTCFullYear())} (${zone})`
    : `Workflow's zone: ${zone}`;
}
