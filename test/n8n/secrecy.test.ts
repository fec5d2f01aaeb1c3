import { join } from 'node:path';

import { filesIn, findLeaks } from '../support/leaks';
import { connect } from './support/bench';
import { exercise, plant } from './support/exercise';
import { readShared } from './support/shared';

// The log is at level debug.
test('no secret is in the database, a log, a file, an execution or an exported workflow of n8n', async () => {
  const api = await connect();
  const n8n = { api, origin: api.origin };
  const { userFolder, logFile } = readShared();
  const { secrets, places } = await exercise(n8n);
  const files = await filesIn(userFolder);

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
  const found = findLeaks(await filesIn(userFolder), planted);
  expect(found).toContainEqual(
    expect.objectContaining({ secret: 'apiKey', encoding: 'Base64' }) as object,
  );
});
