import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A text in which a secret must not be. */
export interface Place {
  name: string;
  content: string | Buffer;
}

/** A secret that was found where it must not be. */
export interface Leak {
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
  return places.flatMap(({ name: place, content }) =>
    Object.entries(secrets).flatMap(([secret, value]) =>
      encodingsOf(value)
        .filter(([, text], index, all) => all.findIndex(([, other]) => other === text) === index)
        .filter(([, text]) => content.includes(text))
        .map(([encoding]) => ({ place, secret, encoding })),
    ),
  );
}

/** Every file in a folder and below, but those of installed packages. */
export async function filesIn(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(names.map(async (name) => ({ name, content: await readFile(name) })));
}
