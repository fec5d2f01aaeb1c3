import {
  type CredentialProblem,
  readCredential,
} from '../../../../nodes/SocialPublishing/service/http/credential';

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

  test.each<[unknown, RegExp]>([
    ['', /https:/],
    ['  ', /https:/],
    [undefined, /https:/],
    [null, /https:/],
    [{ url: 'https://social.example.com/api/v1' }, /https:/],
    ['social.example.com/api/v1', /https:/],
    ['//social.example.com/api/v1', /https:/],
    ['localhost:3210/api/v1', /https:/],
    ['127.0.0.1:3210/api/v1', /https:/],
    ['/api/v1', /https:/],
    [12, /https:/],
    ['javascript:alert(1)', /https:/],
    ['https://', /https:/],
    ['https://social example.com/api/v1', /https:/],
    ['https://social.example.com:99999/api/v1', /https:/],
    ['ftp://social.example.com/api/v1', /https:/],
    ['file:///api/v1', /https:/],
    ['htps://social.example.com/api/v1', /https:/],
    ['https://ann@social.example.com/api/v1', /@/],
    ['https://:secret@social.example.com/api/v1', /@/],
    ['https://ann:secret@social.example.com/api/v1', /@/],
    ['https://social.example.com/api/v1?key=secret', /\?/],
    ['https://social.example.com/#/settings/api-keys', /\?/],
  ])('%j is refused, with what to do', (given, solution) => {
    const found = baseUrlOf(given) as CredentialProblem;
    expect(found.field).toBe('Base URL');
    expect(found.solution).toMatch(solution);
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  test.each([
    'spk_4f1c9a',
    'spk:4f1c9a',
    'https://spk_4f1c9a@x/',
    'https://x/?spk_4f1c9a',
    'https://x:spk_4f1c9a/',
  ])('is not quoted, as it may be a key in the wrong field: %s', (given) => {
    expect(JSON.stringify(baseUrlOf(given))).not.toContain('4f1c9a');
  });
});

describe('the API key', () => {
  test.each([
    [' spk_4f1c9a\n', 'spk_4f1c9a'],
    ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
    ['Bearer spk_4f1c9a', 'spk_4f1c9a'],
    ['bearer  spk_4f1c9a', 'spk_4f1c9a'],
    ['Authorization: Bearer spk_4f1c9a', 'spk_4f1c9a'],
    ['"spk_4f1c9a"', 'spk_4f1c9a'],
    ["'spk_4f1c9a'", 'spk_4f1c9a'],
    ['`spk_4f1c9a`', 'spk_4f1c9a'],
    ['“spk_4f1c9a”', 'spk_4f1c9a'],
    ['„spk_4f1c9a“', 'spk_4f1c9a'],
    ['"Bearer spk_4f1c9a"', 'spk_4f1c9a'],
    ['Bearer " spk_4f1c9a "\n', 'spk_4f1c9a'],
    ['"spk_4f1c9a', '"spk_4f1c9a'],
    ['Bearer', 'Bearer'],
    ['bearer_4f1c9a', 'bearer_4f1c9a'],
  ])('%j is taken as %s, also for the header', (given, expected) => {
    expect(readCredential({ ...data, apiKey: given })).toMatchObject({
      apiKey: expected,
      data: { ...data, apiKey: expected },
    });
  });

  test.each<[unknown]>([
    [''],
    [' \n'],
    ['""'],
    [undefined],
    ['Basic spk_4f1c9a'],
    ['spk_4f1c9a\r\nX-Other: 1'],
    ['spk_4f1c…9a'],
    ['spk\u200b4f1c9a'],
  ])('%j is refused without quoting it', (given) => {
    const found = readCredential({ ...data, apiKey: given as string }) as CredentialProblem;
    expect(found.field).toBe('API Key');
    expect(JSON.stringify(found)).not.toMatch(/4f1c|9a/);
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
