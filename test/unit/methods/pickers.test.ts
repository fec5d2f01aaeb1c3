import { pickerKey } from '../../../nodes/SocialPublishing/methods/cachedLists';

const credential = { baseUrl: 'https://social.example.com/api/v1', apiKey: 'spk_4f1c9a' };

test('a list is found again by the same address, key, workspace and path', () => {
  const key = pickerKey(credential, 1, '/accounts');

  expect(pickerKey({ ...credential }, 1, '/accounts')).toBe(key);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['address', pickerKey({ ...credential, baseUrl: 'https://x/api/v1' }, 1, '/accounts')],
  ['key', pickerKey({ ...credential, apiKey: 'spk_4f1c9b' }, 1, '/accounts')],
  ['workspace', pickerKey(credential, 11, '/accounts')],
  ['path', pickerKey(credential, 1, '/agents')],
  [
    'border between address and key',
    pickerKey(
      { baseUrl: 'https://social.example.com/api/v1spk_', apiKey: '4f1c9a' },
      1,
      '/accounts',
    ),
  ],
])('a list of another %s is another one', (_, other) => {
  expect(other).not.toBe(pickerKey(credential, 1, '/accounts'));
});
