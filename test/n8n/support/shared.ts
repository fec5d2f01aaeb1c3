import { join } from 'node:path';
import type { PackedPackage } from '../../../scripts/n8n/pack';
import { workDir } from '../../../scripts/n8n/paths';

/** What the test files need to know of the n8n that all of them use. */
export interface Shared {
  origin: string;
  userFolder: string;
  logFile: string;
  packed: PackedPackage;
}

const VARIABLE = 'SOCIAL_PUBLISHING_TEST_N8N';

/** Where the n8n of the tests keeps its data. */
export const testUserFolder = (): string => join(workDir(), 'test');

/** Where screenshots of the editor are put. */
export const screenshotDir = (): string => join(workDir(), 'screenshots');

/** Tells the test files about the n8n that has been started for them. */
export function share(shared: Shared): void {
  process.env[VARIABLE] = JSON.stringify(shared);
}

/** The n8n that has been started for the tests. */
export function readShared(): Shared {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('Run these tests with npm run test:n8n.');
  return JSON.parse(text) as Shared;
}
