import '../../../scripts/engine/instance';
import './deduplication';

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { LoggerProxy } from 'n8n-workflow';

import { logFile, userFolder } from '../../../scripts/engine/environment';

afterAll(() => rmSync(userFolder, { recursive: true, force: true }));

/** Everything that n8n has logged so far in this test file, at level debug, one JSON object a line. */
export async function readLog(): Promise<string> {
  const marker = randomUUID();
  LoggerProxy.info(marker);
  for (;;) {
    const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
    if (log.includes(marker)) return log;
    await delay(5);
  }
}
