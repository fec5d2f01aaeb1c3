import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { endStale } from '../../../scripts/n8n/child';
import { installHost } from '../../../scripts/n8n/install';
import { N8nInstance } from '../../../scripts/n8n/instance';
import { installPackage, pack } from '../../../scripts/n8n/pack';
import { running } from './running';
import { share, testUserFolder } from './shared';

/** Starts a fresh n8n with the packed package, once for all test files. */
export default async function setUp(): Promise<void> {
  await installHost((line) => console.log(line));
  const userFolder = testUserFolder();
  await endStale(join(userFolder, 'n8n.pid'), userFolder);
  await rm(userFolder, { recursive: true, force: true });
  const packed = await pack(userFolder);
  await installPackage(packed, userFolder);
  const environment = {
    // Not the zone of the browser, so that nothing works only where both are the same.
    GENERIC_TIMEZONE: 'Europe/Berlin',
    // How many minutes what is deleted stays on disk: 15 by default, too long for a test to wait.
    EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: '1',
  };
  running.n8n = await N8nInstance.start({ userFolder, logLevel: 'debug', environment });
  const { origin, logFile } = running.n8n;
  share({ origin, userFolder, logFile, packed });
}
