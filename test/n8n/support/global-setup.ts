import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { endStale } from '../../../scripts/n8n/child';
import { installHost } from '../../../scripts/n8n/install';
import { N8nInstance } from '../../../scripts/n8n/instance';
import { installPackage, pack, type PackedPackage } from '../../../scripts/n8n/pack';
import { workDir } from '../../../scripts/n8n/paths';
import { running } from './running';
import { share, type Shared, testUserFolder } from './shared';

const ENVIRONMENT = {
  // Not the zone of the browser, so that nothing works only where both are the same.
  GENERIC_TIMEZONE: 'Europe/Berlin',
  // How many minutes what is deleted stays on disk: 15 by default, too long for a test to wait.
  EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: '1',
};

async function start(worker: number, packed: PackedPackage): Promise<Shared> {
  const userFolder = testUserFolder(worker);
  await endStale(join(userFolder, 'n8n.pid'), userFolder);
  await rm(userFolder, { recursive: true, force: true });
  await installPackage(packed, userFolder);
  const n8n = await N8nInstance.start({
    userFolder,
    logLevel: 'debug',
    environment: ENVIRONMENT,
  });
  running.push(n8n);
  return { origin: n8n.origin, userFolder, logFile: n8n.logFile, packed };
}

/** Starts a fresh n8n with the packed package for each jest worker, once for all test files. */
export default async function setUp({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  await installHost((line) => console.log(line));
  const packed = await pack(join(workDir(), 'packed'));
  const workers = Array.from({ length: maxWorkers }, (_, index) => index + 1);
  share(await Promise.all(workers.map((worker) => start(worker, packed))));
}
