import { cityOf, nameIn, zonePlaces } from './cities';
import { zoneOf } from './zones';

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
  return zoneOf(zone)?.type === 'iana'
    ? `Workflow's zone: ${cityOf(zone)}, ${offsetsOf(zone, new Date(now).getUTCFullYear())} (${zone})`
    : `Workflow's zone: ${zone}`;
}
