import type { IDataObject } from 'n8n-workflow';

import type { ServiceCredential } from '../../../../nodes/SocialPublishing/service/http/credential';
import { StoredQuota } from '../../../../nodes/SocialPublishing/service/quota/stored';

const credential = (apiKey: string): ServiceCredential => ({
  baseUrl: 'https://service.example/api/v1',
  apiKey,
  workspaceId: '1',
  data: {},
});

test('the stored quota holds until it is renewed, also after n8n has saved and loaded it', () => {
  const store: IDataObject = {};
  new StoredQuota(store, credential('key')).remember(7, 5000);

  const later = new StoredQuota(
    JSON.parse(JSON.stringify(store)) as IDataObject,
    credential('key'),
  );

  expect(later.left(4999)).toBe(7);
  expect(later.left(5000)).toBeUndefined();
});

test('each key has a quota of its own', () => {
  const store: IDataObject = {};
  new StoredQuota(store, credential('key')).remember(7, 5000);

  expect(new StoredQuota(store, credential('another')).left(0)).toBeUndefined();
});

test('the key is not in what is stored', () => {
  const store: IDataObject = {};
  new StoredQuota(store, credential('a-secret-key')).remember(7, 5000);

  expect(JSON.stringify(store)).not.toContain('a-secret-key');
});

test.each([
  ['the number left', { left: '7', until: 5000 }],
  ['the time', { left: 7, until: '5000' }],
  ['both', 'nothing'],
])('a stored quota is ignored if %s cannot be read', (_, stored) => {
  const store: IDataObject = {};
  const memory = new StoredQuota(store, credential('key'));
  memory.remember(7, 5000);
  for (const key of Object.keys(store)) store[key] = stored;

  expect(memory.left(0)).toBeUndefined();
});
