import { folded } from '../values';

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

const MORE_CITIES = new Map(COMMON.map(([zone, cities = '']) => [zone, cities]));

/** Other cities in a zone, with commas between them; empty for none. */
export const moreCitiesOf = (zone: string): string => MORE_CITIES.get(zone) ?? '';

let sorted: readonly string[] | undefined;

/** The names of all zones: UTC, those that most people choose from, and all others by their cities. */
export const zoneNames = (): readonly string[] => (sorted ??= sortedNames());

function sortedNames(): string[] {
  const supported = Intl.supportedValuesOf('timeZone');
  const common = COMMON.map(([zone]) => zone).filter((zone) => supported.includes(zone));
  const others = supported
    .filter((zone) => !common.includes(zone))
    .sort((a, b) => cityOf(a).localeCompare(cityOf(b)));
  return [...new Set(['UTC', ...common, ...others])];
}

/**
 * The name of the zone of a city, as people write it: `New York`, `mumbai`.
 *
 * @returns `undefined` for a city that names no zone
 */
export function zoneOfCity(text: string): string | undefined {
  const city = folded(text);
  if (city === '') return undefined;
  return zoneNames().find((zone) =>
    [cityOf(zone), ...moreCitiesOf(zone).split(', ')].some((one) => folded(one) === city),
  );
}
