import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findLeaks, type Place } from '../support/leaks';
import { connect } from './support/bench';
import { exercise, plant } from './support/exercise';
import { readShared } from './support/shared';

/** Every file of n8n: its database, its log at level debug, and everything else it has written. */
async function filesOf(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (name) => ({ name, content: await readFile(name) })));
}

test('no secret is in the database, a log, a file, an execution or an exported workflow of n8n', async () => {
  const api = await connect();
  const n8n = { api, origin: api.origin };
  const { userFolder, logFile } = readShared();
  const { secrets, places } = await exercise(n8n);
  const files = await filesOf(userFolder);

  const names = files.map(({ name }) => name);
  expect(names).toContain(logFile);
  expect(names).toContain(join(userFolder, '.n8n', 'database.sqlite'));
  expect(findLeaks([...places, ...files], secrets)).toEqual([]);
  console.log(
    `Searched ${places.length} responses of n8n and ${files.length} files for ${Object.keys(secrets).length} secrets.`,
  );
  // The search would find a leak.
  const planted = { apiKey: `${secrets['apiKey']}-planted` };
  await plant(n8n, Buffer.from(`:${planted.apiKey}`).toString('base64'));
  const found = findLeaks(await filesOf(userFolder), planted);
  expect(found).toContainEqual(
    expect.objectContaining({ secret: 'apiKey', encoding: 'Base64' }) as object,
  );
});
