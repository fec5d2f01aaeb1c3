import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for the settings and the log of the engine. Whoever loads the engine deletes it at the
 * end. n8n-core reads its environment when it is first used, so import this module before anything
 * from n8n.
 */
export const userFolder = mkdtempSync(join(tmpdir(), 'social-publishing-engine-'));

export const logFile = join(userFolder, 'n8n.log');

Object.assign(process.env, {
  N8N_USER_FOLDER: userFolder,
  N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64'),
  N8N_LOG_LEVEL: 'debug',
  N8N_LOG_OUTPUT: 'file',
  N8N_LOG_FILE_LOCATION: logFile,
  GENERIC_TIMEZONE: 'UTC',
});
