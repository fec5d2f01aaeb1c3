import { DateTime } from 'luxon';

/** A calendar date first: luxon would also read a bare time or year, which no one means here. */
const BEGINS_WITH_DATE = /^(\d{4}-\d{2}-\d{2}|\d{8}(?!\d)|\d{4}-W\d{2}-\d|\d{4}-\d{3}(?!\d))/;

/** The hour as people type it into tables: `2026-11-21 9:00`. */
const ONE_DIGIT_HOUR = /^(?<date>\d{4}-\d{2}-\d{2}[T ])(?<hour>\d:)/;

function read(value: unknown, zone: string): DateTime | undefined {
  if (DateTime.isDateTime(value)) return value;
  if (value instanceof Date) return DateTime.fromJSDate(value);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (/^\d{10}$/.test(text)) return DateTime.fromSeconds(Number(text));
  if (/^\d{13}$/.test(text)) return DateTime.fromMillis(Number(text));
  const options = { zone, setZone: true };
  const padded = text.replace(ONE_DIGIT_HOUR, '$<date>0$<hour>');
  const readings = BEGINS_WITH_DATE.test(text)
    ? [DateTime.fromISO(padded, options), DateTime.fromSQL(padded, options)]
    : [DateTime.fromRFC2822(text, options), DateTime.fromHTTP(text, options)];
  const found = readings.find(({ isValid }) => isValid);
  // Of an hour that the clocks run through twice luxon takes one that depends on the season it is now.
  return found === undefined ? undefined : DateTime.min(...found.getPossibleOffsets());
}

/**
 * Reads a time and writes it as the service takes it: ISO 8601 in UTC with milliseconds and a
 * trailing Z (docs/service.md, "Times").
 *
 * Read are ISO 8601, SQL, RFC 2822 and HTTP dates, Unix seconds (10 digits) and milliseconds (13
 * digits), and date objects. A local time that comes twice, when clocks are put back, is the first of
 * the two; one that does not come, when they are put forward, is as much later as they jump.
 *
 * @param value what the user gave
 * @param zone the IANA zone that holds for a value without an offset: the workflow's
 * @returns such as `2026-11-21T10:00:00.000Z`, or `undefined` when it cannot be read as a time
 */
export function utcTime(value: unknown, zone: string): string | undefined {
  const iso = read(value, zone)?.toUTC().toISO() ?? '';
  return /^\d{4}-/.test(iso) ? iso : undefined;
}
