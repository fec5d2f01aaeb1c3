import { DateTime } from 'luxon';

/** With a capital at its start. */
export const capitalized = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Joins the parts that say something. */
export const sentences = (...parts: ReadonlyArray<string | undefined | false>): string =>
  parts.filter(Boolean).join(' ');

/** The parts that say something, each on a line of its own. */
export const lines = (...parts: readonly string[]): string => parts.filter(Boolean).join('\n');

/** Quotes the service or n8n in the middle of a sentence. */
export const quoted = (text: string): string => `“${text.replace(/\.$/, '')}”`;

/** Unix milliseconds as `2026-11-21 20:40:00 Europe/Berlin`. */
export function inZone(time: number, zone = 'UTC'): string {
  const utc = DateTime.fromMillis(time, { zone: 'utc', locale: 'en' });
  const local = utc.setZone(zone);
  const shown = local.isValid ? local : utc;
  return `${shown.toFormat('yyyy-MM-dd HH:mm:ss')} ${shown.zoneName}`;
}
