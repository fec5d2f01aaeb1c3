// n8n-core reads its environment when it is loaded.
import './environment';
import './deduplication';

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { Container } from '@n8n/di';
import type { KeyInfo } from 'n8n-core';
import { Cipher, EncryptionKeyProxy, InstanceSettings } from 'n8n-core';
import { LoggerProxy, setGlobalState } from 'n8n-workflow';

import { logFile, userFolder } from './environment';

const { encryptionKey } = Container.get(InstanceSettings);

/** Without key rotation, n8n encrypts credentials with the key of the instance. */
const instanceKey: KeyInfo = {
  id: 'instance-key',
  value: Container.get(Cipher).encryptDEKWithInstanceKey(encryptionKey),
  algorithm: 'aes-256-cbc',
  format: 'no-prefix',
};

Container.get(EncryptionKeyProxy).setProvider({
  getActiveKey: () => Promise.resolve(instanceKey),
  getLegacyKey: () => Promise.resolve(instanceKey),
  getKeyById: () => Promise.resolve(null),
});

setGlobalState({ defaultTimezone: 'UTC' });

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
