import { readCredential } from '../../../../nodes/SocialPublishing/service/http/credential';

const data = {
  baseUrl: 'https://social.example.com/api/v1',
  apiKey: 'spk_4f1c9a',
  workspaceId: '12',
};

/** The address of a credential, or what is wrong with it. */
function baseUrlOf(baseUrl: unknown): unknown {
  const credential = readCredential({ ...data, baseUrl: baseUrl as string });
  return 'problem' in credential ? credential : credential.baseUrl;
}

test('is read as it is', () => {
  expect(readCredential(data)).toEqual({
    baseUrl: 'https://social.example.com/api/v1',
    apiKey: 'spk_4f1c9a',
    workspaceId: '12',
    data,
  });
});

describe('the base URL', () => {
  test.each([
    [' https://social.example.com/api/v1 ', 'https://social.example.com/api/v1'],
    ['\thttps://social.example.com/api/v1\r\n', 'https://social.example.com/api/v1'],
    ['https://social.example.com/api/v1/', 'https://social.example.com/api/v1'],
    ['https://social.example.com/api/v1///', 'https://social.example.com/api/v1'],
    ['https://social.example.com/api/v1?', 'https://social.example.com/api/v1'],
    ['https://social.example.com/api/v1#', 'https://social.example.com/api/v1'],
    ['https://social.example.com/api/v1/?#', 'https://social.example.com/api/v1'],
    ['HTTPS://Social.Example.com/api/v1', 'https://social.example.com/api/v1'],
    ['https:social.example.com/api/v1', 'https://social.example.com/api/v1'],
    ['https://social.exam\nple.com/api/v1', 'https://social.example.com/api/v1'],
    ['http://127.0.0.1:3210/api/v1', 'http://127.0.0.1:3210/api/v1'],
    ['http://[::1]:3210/api/v1', 'http://[::1]:3210/api/v1'],
    ['https://bücher.example/api/v1', 'https://xn--bcher-kva.example/api/v1'],
    ['https://example.com/our social/api/v1', 'https://example.com/our%20social/api/v1'],
    ['https://social.example.com', 'https://social.example.com'],
  ])('%j is taken as %s', (given, expected) => {
    expect(baseUrlOf(given)).toBe(expected);
  });

  const notUrl = 'is not a URL';
  const notHttp = 'is not an http or https URL';
  const userInfo = 'must not contain a user name or a password';
  const more = 'must not have anything after its path';
  test.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    [undefined, 'is empty'],
    [null, 'is empty'],
    [{ url: 'https://social.example.com/api/v1' }, 'is empty'],
    ['social.example.com/api/v1', notUrl],
    ['/api/v1', notUrl],
    ['https://', notUrl],
    ['https://social example.com/api/v1', notUrl],
    ['https://social.example.com:99999/api/v1', notUrl],
    [12, notUrl],
    ['ftp://social.example.com/api/v1', notHttp],
    ['localhost:3210/api/v1', notHttp],
    ['file:///api/v1', notHttp],
    ['javascript:alert(1)', notHttp],
    ['https://ann@social.example.com/api/v1', userInfo],
    ['https://:secret@social.example.com/api/v1', userInfo],
    ['https://ann:secret@social.example.com/api/v1', userInfo],
    ['https://social.example.com/api/v1?key=secret', more],
    ['https://social.example.com/api/v1#secret', more],
  ])('%j is refused', (given, problem) => {
    expect(baseUrlOf(given)).toEqual({ field: 'Base URL', problem });
  });

  test.each(['spk_4f1c9a', 'spk:4f1c9a', 'https://spk_4f1c9a@x/', 'https://x/?spk_4f1c9a'])(
    'is not quoted, as it may be a key in the wrong field: %s',
    (given) => {
      expect(JSON.stringify(baseUrlOf(given))).not.toContain('4f1c9a');
    },
  );
});

describe('the API key', () => {
  test.each([
    [' spk_4f1c9a\n', 'spk_4f1c9a'],
    ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
  ])('%j is taken as %s, also for the header', (given, expected) => {
    expect(readCredential({ ...data, apiKey: given })).toMatchObject({
      apiKey: expected,
      data: { ...data, apiKey: expected },
    });
  });

  test.each([
    ['', 'is empty'],
    [' \n', 'is empty'],
    [undefined, 'is empty'],
    ['Bearer spk_4f1c9a', 'contains a space or another invalid character'],
    ['spk_4f1c9a\r\nX-Other: 1', 'contains a space or another invalid character'],
    ['spk_4f1c…9a', 'contains a space or another invalid character'],
    ['spk\u200b4f1c9a', 'contains a space or another invalid character'],
  ])('%j is refused without quoting it', (given, problem) => {
    expect(readCredential({ ...data, apiKey: given as string })).toEqual({
      field: 'API Key',
      problem,
    });
  });
});

describe('the default workspace', () => {
  test.each([
    [12, '12'],
    [' 12 ', '12'],
    ['', ''],
    [undefined, ''],
    [null, ''],
    ['bakery', 'bakery'],
  ])('%j is taken as %j: whether it will do is decided where it is used', (given, expected) => {
    expect(readCredential({ ...data, workspaceId: given as string })).toMatchObject({
      workspaceId: expected,
    });
  });
});
