import { DateTime } from 'luxon';

const EARLIEST_EPOCH_SECONDS = 1e9;
const EARLIEST_EPOCH_MILLISECONDS = 1e11;

/** A calendar date first: luxon would also read a bare time or year, which no one means here. */
const BEGINS_WITH_DATE = /^(\d{4}-\d{2}-\d{2}|\d{8}(?!\d)|\d{4}-W\d{2}-\d|\d{4}-\d{3}(?!\d))/;

function read(value: unknown, zone: string): DateTime | undefined {
  if (DateTime.isDateTime(value)) return value;
  if (value instanceof Date) return DateTime.fromJSDate(value);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (/^\d{10,}$/.test(text)) {
    const epoch = Number(text);
    if (epoch >= EARLIEST_EPOCH_MILLISECONDS) return DateTime.fromMillis(epoch);
    return epoch >= EARLIEST_EPOCH_SECONDS ? DateTime.fromSeconds(epoch) : undefined;
  }
  const options = { zone, setZone: true };
  const readings = BEGINS_WITH_DATE.test(text)
    ? [DateTime.fromISO(text, options), DateTime.fromSQL(text, options)]
    : [DateTime.fromRFC2822(text, options), DateTime.fromHTTP(text, options)];
  return readings.find(({ isValid }) => isValid);
}

/**
 * Reads a time and writes it as the service takes it: ISO 8601 in UTC with milliseconds and a
 * trailing Z (specification, "Post", `scheduledAt`).
 *
 * Read are ISO 8601, SQL, RFC 2822 and HTTP dates, Unix seconds and milliseconds, and date objects.
 *
 * @param value what the user gave
 * @param zone the IANA zone that holds for a value without an offset: the workflow's
 * @returns such as `2026-11-21T10:00:00.000Z`, or `undefined` when it cannot be read as a time
 */
export function utcTime(value: unknown, zone: string): string | undefined {
  const time = read(value, zone)?.toUTC();
  return time?.isValid === true && time.year >= 0 && time.year <= 9999
    ? time.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")
    : undefined;
}
