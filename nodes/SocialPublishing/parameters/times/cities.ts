import { folded } from '../values';

/**
 * The zones that most choose from in countries with several; elsewhere, the country finds the zone.
 */
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
export const cityOf = (zone: string): string =>
  TODAY[zone] ?? zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** What Intl calls a zone, or its offset, in English. */
export const nameIn = (
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
export const zonePlaces = (): ReadonlyMap<string, readonly string[]> => (named ??= namedZones());

function namedZones(): ReadonlyMap<string, readonly string[]> {
  const supported = Intl.supportedValuesOf('timeZone');
  const common = [...COMMON.keys()].filter((zone) => supported.includes(zone));
  const others = supported.sort((a, b) => cityOf(a).localeCompare(cityOf(b)));
  return new Map(['UTC', ...common, ...others].map((zone) => [zone, morePlacesOf(zone)]));
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
