import { cityOf, nameIn, zonePlaces } from './cities';
import { zoneOf } from './zones';

/** What the time of a zone is called, and its offset: `Eastern Time, UTC-05:00`. */
function timeOf(zone: string, now: number): string {
  const offset = nameIn(zone, 'longOffset', now)
    .replace(/^GMT$/, 'GMT+00:00')
    .replace('GMT', 'UTC');
  const name = nameIn(zone, 'longGeneric', now);
  return /^(GMT|UTC)/.test(name) ? offset : `${name}, ${offset}`;
}

/** A zone as people look for it: its city, what its time is called, its offset, its name, more places. */
const zoneLabel = (zone: string, more: readonly string[], now: number): string =>
  zone === 'UTC'
    ? zone
    : `${cityOf(zone)} – ${timeOf(zone, now)} (${[zone, more.join(', ')].filter(Boolean).join('; ')})`;

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
    const zones = [...zonePlaces()].map(([name, more]) => ({
      name,
      label: zoneLabel(name, more, now),
    }));
    listed = { hour, zones };
  }
  return listed.zones;
}

/** What a list says of the zone of the workflow: `Workflow's zone: New York – Eastern Time, …`. */
export function workflowZoneLabel(zone: string, now: number): string {
  return zoneOf(zone)?.type === 'iana'
    ? `Workflow's zone: ${cityOf(zone)} – ${timeOf(zone, now)} (${zone})`
    : `Workflow's zone: ${zone}`;
}
