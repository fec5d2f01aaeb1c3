import { join } from 'node:path';

import type { PackedPackage } from '../../../scripts/n8n/pack';
import { workDir } from '../../../scripts/n8n/paths';

/** What the test files know about the n8n that they share. */
export interface Shared {
  origin: string;
  userFolder: string;
  logFile: string;
  packed: PackedPackage;
}

const VARIABLE = 'SOCIAL_PUBLISHING_TEST_N8N';

/** The folder for the data of the shared n8n. */
export const testUserFolder = (): string => join(workDir(), 'test');

/** Publishes the shared n8n to the test files. */
export function share(shared: Shared): void {
  process.env[VARIABLE] = JSON.stringify(shared);
}

/** Reads what `share` published. */
export function readShared(): Shared {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('Run these tests with npm run test:n8n.');
  return JSON.parse(text) as Shared;
}
