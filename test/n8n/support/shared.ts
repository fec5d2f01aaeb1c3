import { join } from 'node:path';

import type { PackedPackage } from '../../../scripts/n8n/pack';
import { workDir } from '../../../scripts/n8n/paths';

/** What the test files of one jest worker know about the n8n that they share. */
export interface Shared {
  origin: string;
  userFolder: string;
  logFile: string;
  packed: PackedPackage;
}

const VARIABLE = 'SOCIAL_PUBLISHING_TEST_N8N';

/** The folder for the data of the n8n of a jest worker. The first worker has number 1. */
export const testUserFolder = (worker: number): string => join(workDir(), `test-${worker}`);

/** Publishes the n8n of each jest worker to the test files, that of the first worker first. */
export function share(ofWorkers: readonly Shared[]): void {
  process.env[VARIABLE] = JSON.stringify(ofWorkers);
}

/** Reads what `share` published for this jest worker. */
export function readShared(): Shared {
  const ofWorkers = JSON.parse(process.env[VARIABLE] ?? '[]') as Shared[];
  const shared = ofWorkers[Number(process.env['JEST_WORKER_ID']) - 1];
  if (shared === undefined) throw new Error('Run these tests with npm run test:n8n.');
  return shared;
}
