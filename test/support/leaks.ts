import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A text in which a secret must not be. */
export interface Place {
  /** What it is one of, such as "Execution data". */
  kind: string;
  name: string;
  content: string | Buffer;
}

/** A secret that was found where it must not be. */
export interface Leak {
  kind: string;
  place: string;
  secret: string;
  encoding: string;
}

/**
 * The parts of a secret's Base64 that do not depend on what surrounds the secret: one for each way in
 * which the secret may be aligned.
 */
function base64Parts(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = bytes.toString('base64').replace(/=+$/, '');
    const skipped = before === 0 ? 0 : before + 1;
    const complete = Math.floor((bytes.length * 8) / 6);
    return whole.slice(skipped, complete);
  });
}

const toUrlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/** How a secret may be written: as it is, in Base64, URL-encoded, as JSON, JSON in JSON, and in hex. */
export function encodingsOf(secret: string): Array<[encoding: string, text: string]> {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    ['plain', secret],
    ...base64Parts(secret).map((part): [string, string] => ['Base64', part]),
    ...base64Parts(secret).map((part): [string, string] => ['Base64 for URLs', toUrlSafe(part)]),
    ['URL', encodeURIComponent(secret)],
    ['form', new URLSearchParams({ secret }).toString().slice('secret='.length)],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['hex', Buffer.from(secret).toString('hex')],
  ];
}

/**
 * Searches places for secrets in all their encodings.
 *
 * @param secrets the secrets by the name to report them with
 */
export function findLeaks(places: Place[], secrets: Record<string, string>): Leak[] {
  return places.flatMap(({ kind, name: place, content }) =>
    Object.entries(secrets).flatMap(([secret, value]) =>
      encodingsOf(value)
        .filter(([, text], index, all) => all.findIndex(([, other]) => other === text) === index)
        .filter(([, text]) => content.includes(text))
        .map(([encoding]) => ({ kind, place, secret, encoding })),
    ),
  );
}

/** The kinds of places that n8n writes to. */
export const DATABASE = 'Database';
export const LOGS = 'Logs and error output';
export const OTHER_FILES = 'Other files';

function kindOfFile(path: string): string {
  if (basename(path).startsWith('database.sqlite')) return DATABASE;
  return path.endsWith('.log') ? LOGS : OTHER_FILES;
}

/** Every file in a folder and below, but those of installed packages. */
export async function filesIn(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(
    names.map(async (name) => ({ kind: kindOfFile(name), name, content: await readFile(name) })),
  );
}

/**
 * Shows what was searched, and what was found there, as a table in Markdown.
 *
 * @param places all that was searched
 * @param leaks what was found
 * @param planted what was found after a leak was planted
 */
export function leakTable(places: Place[], leaks: Leak[], planted: Leak[]): string {
  const kinds = [...new Set(places.map(({ kind }) => kind))];
  const isOf = (kind: string) => (each: { kind: string }) => each.kind === kind;
  const rows = kinds.map((kind) => {
    const texts = places.filter(isOf(kind)).map(({ content }) => content);
    const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
    const encodings = new Set(planted.filter(isOf(kind)).map(({ encoding }) => encoding));
    return [
      kind,
      `${texts.length} (${megabytes.toFixed(1)} MB)`,
      leaks.filter(isOf(kind)).length,
      [...encodings].join(', ') || 'none planted',
    ];
  });
  return [
    ['Place', 'Searched', 'Leaks', 'Planted leak found'],
    ['---', '---', '--:', '---'],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
