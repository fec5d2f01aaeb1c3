import { join } from 'node:path';

import { DATABASE, filesIn, findLeaks, leakTable, LOGS } from '../support/leaks';
import { connect } from './support/bench';
import { EXECUTIONS, exercise, plant, WORKFLOWS } from './support/exercise';
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
  const leaks = findLeaks([...places, ...files], secrets);
  expect(leaks).toEqual([]);
  // The search would find a leak.
  const planted = { apiKey: `${secrets['apiKey']}-planted` };
  const text = Buffer.from(`:${planted.apiKey}`).toString('base64url');
  const returned = await plant(n8n, text, [logFile]);
  const found = findLeaks([...returned, ...(await filesIn(userFolder))], planted);
  console.log(leakTable([...places, ...files], leaks, found));
  expect(new Set(found.map(({ kind }) => kind))).toEqual(
    new Set([DATABASE, EXECUTIONS, LOGS, WORKFLOWS]),
  );
});
