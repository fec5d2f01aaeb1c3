// n8n-core reads its environment when it is loaded.
import './environment';

import { Container } from '@n8n/di';
import type { KeyInfo } from 'n8n-core';
import { Cipher, EncryptionKeyProxy, InstanceSettings } from 'n8n-core';
import { setGlobalState } from 'n8n-workflow';

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
