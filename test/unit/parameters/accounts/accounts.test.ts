import type { IDataObject } from 'n8n-workflow';

import { namesIn } from '../../../../nodes/SocialPublishing/parameters/accounts/accountIndex';
import { accountLabel } from '../../../../nodes/SocialPublishing/parameters/accounts/accountLabels';
import {
  namedAccount,
  readAccountList,
} from '../../../../nodes/SocialPublishing/parameters/accounts/accountList';

const account = (
  id: number,
  platform: string,
  platformUsername: string,
  displayName: string,
  isActive = true,
): IDataObject => ({ id, platform, platformUsername, displayName, isActive });

const bakery = [
  account(1, 'instagram', 'bluedoorbakery', 'Blue Door'),
  account(2, 'x', 'bluedoorbakes', 'Blue Door'),
  account(3, 'linkedin', 'blue-door-bakery', 'Blue Door Bakery'),
  account(4, 'mastodon', 'bluedoor@bakers.example', 'Door'),
  account(5, 'mastodon', 'cafe@bakers.example', 'Salt & Pepper'),
  account(6, 'tiktok', 'oldbakery', 'Old', false),
  account(7, 'facebook', 'BlueDoorBakery.Berlin', 'Bread, and more'),
  account(8, 'google_business', 'berlin', 'Bakery/Berlin'),
];

/** What is sent for a text or a list, or why it is refused. */
async function read(value: unknown, accounts: readonly IDataObject[] = bakery): Promise<unknown> {
  const entries = Array.isArray(value) ? (value as unknown[]) : [value];
  const found = await readAccountList(entries, () => Promise.resolve(accounts));
  return found;
}

/** A refusal that names the entry, and whose hint names these accounts in this order. */
const refusal = (code: string, index: number, named: string, ...accounts: string[]): unknown => ({
  code,
  index,
  problem: expect.stringContaining(`"${named}"`) as string,
  hint: expect.stringMatching(
    new RegExp(accounts.map((text) => text.replace(/[()+.]/g, '\\$&')).join('.*'), 'i'),
  ) as string,
});

describe('accounts are read from', () => {
  test.each<[given: unknown, ids: number[]]>([
    // IDs
    [1, [1]],
    ['12', [12]],
    [' 1, 2;3\n4', [1, 2, 3, 4]],
    ['1 | 2 / 3 and 4', [1, 2, 3, 4]],
    ['1/2', [1, 2]],
    [
      [1, '2', 1],
      [1, 2],
    ],
    // Platforms
    ['instagram', [1]],
    ['Instagram', [1]],
    ['IG', [1]],
    ['insta', [1]],
    ['FB', [7]],
    ['X', [2]],
    ['Twitter', [2]],
    ['X (Twitter)', [2]],
    ['X/Twitter', [2]],
    ['Linked In', [3]],
    ['Google Business Profile', [8]],
    ['google my business', [8]],
    ['GMB', [8]],
    ['Tik Tok', [6]],
    ['TT', [6]],
    ['TW', [2]],
    ['LI', [3]],
    ['LinkedIn (Company)', [3]],
    // Handles and names
    ['@bluedoorbakery', [1]],
    ['BLUEDOORBAKERY', [1]],
    ['@bluedoor@bakers.example', [4]],
    ['Blue Door Bakery', [3]],
    ['door', [4]],
    // A platform with a name
    ['instagram:bluedoorbakery', [1]],
    ['Instagram: @bluedoorbakery', [1]],
    ['IG @bluedoorbakery', [1]],
    ['twitter:Blue Door', [2]],
    ['Blue Door on X', [2]],
    ['Blue Door (Twitter)', [2]],
    ['mastodon:cafe@bakers.example', [5]],
    ['google business berlin', [8]],
    // The label of the list, of an inactive one too
    ['Instagram: Blue Door (@bluedoorbakery)', [1]],
    ['TikTok: Old (@oldbakery) – inactive', [6]],
    ['Facebook: Bread, and more (@BlueDoorBakery.Berlin), x', [7, 2]],
    // The address of a profile
    ['https://www.instagram.com/bluedoorbakery/', [1]],
    ['instagram.com/bluedoorbakery?hl=de', [1]],
    ['https://x.com/BlueDoorBakes', [2]],
    ['https://twitter.com/bluedoorbakes', [2]],
    ['https://de.linkedin.com/company/blue-door-bakery/about', [3]],
    ['https://bakers.example/@cafe', [5]],
    ['https://www.tiktok.com/@oldbakery', [6]],
    ['https://x.com/bluedoorbakes, instagram', [2, 1]],
    // Several in one text
    ['instagram, x', [1, 2]],
    ['instagram; x', [1, 2]],
    ['instagram | x', [1, 2]],
    ['instagram/x', [1, 2]],
    ['Instagram and X', [1, 2]],
    ['Instagram, X, and LinkedIn', [1, 2, 3]],
    ['instagram & x', [1, 2]],
    ['IG + FB', [1, 7]],
    ['IG+LI', [1, 3]],
    ['IG&LI', [1, 3]],
    ['instagram\nx', [1, 2]],
    ['instagram, , ;x,', [1, 2]],
    ['instagram, @bluedoorbakery, 1', [1]],
    [
      ['instagram', 'x and 3'],
      [1, 2, 3],
    ],
    // Signs that belong to a name
    ['Salt & Pepper', [5]],
    ['Salt & Pepper and x', [5, 2]],
    ['x, Salt & Pepper', [2, 5]],
    ['Bread, and more, Bakery/Berlin', [7, 8]],
    // All that are active
    ['all', [1, 2, 3, 4, 5, 7, 8]],
    ['ALL', [1, 2, 3, 4, 5, 7, 8]],
    ['all and tiktok', [1, 2, 3, 4, 5, 7, 8, 6]],
  ])('%j', async (given, ids) => {
    expect(await read(given)).toEqual(ids);
  });

  test('IDs without a request', async () => {
    const readAll = jest.fn();

    await readAccountList([1, '2, 3', '4/5 and 6'], readAll);
    expect(readAll).not.toHaveBeenCalled();
  });

  test('names with one request', async () => {
    const readAll = jest.fn().mockResolvedValue(bakery);

    await readAccountList(['instagram', 'x', 3], readAll);
    expect(readAll).toHaveBeenCalledTimes(1);
  });

  test('a platform that was connected again: the active one', async () => {
    const again = [account(1, 'x', 'me', 'Me', false), account(2, 'x', 'me', 'Me')];

    expect(await read('x', again)).toEqual([2]);
    expect(await read('@me', again)).toEqual([2]);
  });

  test.each([
    ['twitter', 'X'],
    ['x', 'Twitter'],
  ])('a service that says %s, for %s', async (platform, name) => {
    expect(await read(name, [account(9, platform, 'me', 'Me')])).toEqual([9]);
  });
});

describe('accounts are refused', () => {
  test('that no account is called, with what may be written', async () => {
    expect(await read('x, linkedin', bakery.slice(0, 2))).toEqual(
      refusal(
        'noSuchAccount',
        1,
        'linkedin',
        'Instagram: Blue Door (@bluedoorbakery), write instagram, or 1;',
        'X: Blue Door (@bluedoorbakes), write x, or 2.',
      ),
    );
  });

  test.each([
    ['instagran', 'instagram'],
    ['twiter', 'twitter'],
    ['linkdein', 'linkedin'],
    ['@bluedorbakery', '@bluedoorbakery or @blue-door-bakery'],
    ['Instagram: @bluedoorbakry', 'instagram:bluedoorbakery'],
    ['cafe@bakers.exmple', '@cafe@bakers.example'],
  ])('that are a typo, such as %j, with what was meant: %s', async (typo, meant) => {
    expect(await read(typo)).toMatchObject({
      code: 'noSuchAccount',
      hint: `Did you mean ${meant}?`,
    });
  });

  test.each(['mastodn', 'bluedoorr', 'yx', 'nobody'])(
    'that are a typo of nothing that is one account, such as %j, with all of them',
    async (name) => {
      expect(await read(name)).toEqual(
        refusal('noSuchAccount', 0, name, 'instagram, or 1;', 'tiktok, or 6.'),
      );
    },
  );

  test('that fit two of one platform', async () => {
    expect(await read('mastodon')).toEqual(
      refusal(
        'severalAccounts',
        0,
        'mastodon',
        'Mastodon: Door (@bluedoor@bakers.example), write @bluedoor@bakers.example, or 4;',
        'Mastodon: Salt & Pepper (@cafe@bakers.example), write @cafe@bakers.example, or 5.',
      ),
    );
  });

  test('that fit as a platform and as a handle on another one', async () => {
    const twice = [
      account(1, 'x', 'instagram', 'Shop'),
      account(2, 'instagram', 'shop', 'Our Shop'),
    ];

    expect(await read('instagram', twice)).toEqual(
      refusal(
        'severalAccounts',
        0,
        'instagram',
        'X: Shop (@instagram), write x, or 1;',
        'Instagram: Our Shop (@shop), write instagram:shop, or 2.',
      ),
    );
    expect(await read('instagram:shop', twice)).toEqual([2]);
  });

  test('that fit an active and an inactive one of two platforms', async () => {
    const twice = [account(1, 'tiktok', 'old', 'Old', false), account(2, 'x', 'old', 'Old')];

    expect(await read('@old', twice)).toEqual(
      refusal(
        'severalAccounts',
        0,
        '@old',
        'X: Old (@old), write x, or 2;',
        'TikTok: Old (@old) – inactive, write tiktok, or 1.',
      ),
    );
  });

  test.each<[given: unknown, code: string, named?: string]>([
    ['Blue Door', 'severalAccounts'],
    ['instagram and nobody', 'noSuchAccount', 'nobody'],
    ['bluedoorbakers.example', 'noSuchAccount'],
    ['@', 'noSuchAccount'],
    ['linkedin:bluedoorbakery', 'noSuchAccount'],
    ['https://x.com/nobody', 'noSuchAccount'],
    ['https://example.com/', 'noSuchAccount'],
    ['0', 'notAnAccount'],
    [-1, 'notAnAccount'],
    ['1.5', 'notAnAccount'],
    [{ id: 1 }, 'notAnAccount', '{"id":1}'],
    [true, 'notAnAccount'],
  ])('%j', async (given, code, named = String(given)) => {
    expect(await read(given)).toMatchObject({
      code,
      problem: expect.stringContaining(`"${named}"`) as string,
    });
  });

  test('where nothing is connected', async () => {
    expect(await read('x', [])).toMatchObject({ code: 'noSuchAccount' });
  });

  test('as all, where none is active, or where one is called so', async () => {
    expect(await read('all', [account(6, 'tiktok', 'old', 'Old', false)])).toEqual(
      refusal('noActiveAccount', 0, 'all'),
    );
    expect(await read('all', [...bakery, account(9, 'x', 'all', 'All')])).toEqual(
      refusal('ambiguousAll', 0, 'all', 'X: All (@all), write @all, or 9.'),
    );
  });

  test('with the active ones first, and a long list cut', async () => {
    const many = Array.from({ length: 23 }, (_, index) => ({
      id: index + 1,
      platform: 'x',
      isActive: index !== 0,
    }));

    expect(await read('nobody', many)).toEqual(
      refusal('noSuchAccount', 0, 'nobody', 'X: ID 2,', ' 3 '),
    );
  });
});

test('a text is compared with the accounts in proportion to its length', () => {
  const has = jest.fn(() => false);
  const words = Array.from({ length: 500 }, (_, index) => `word${index}`);

  expect([...namesIn(words.join(', '), { mostPieces: 4, has })]).toEqual(words);
  expect(has.mock.calls.length).toBeLessThan(3 * words.length);
  expect(has.mock.calls.every(([name = '']: string[]) => name.length < 50)).toBe(true);
});

test.each([
  [1, { id: 1 }],
  [' 12 ', { id: 12 }],
  [' instagram ', { name: 'instagram' }],
  ['7 Corners', { name: '7 Corners' }],
  [0, undefined],
  ['-1', undefined],
  [' 1.5 ', undefined],
  ['', undefined],
  [null, undefined],
  [[1], undefined],
])('%j names %j', (value, expected) => {
  expect(namedAccount(value)).toEqual(expected);
});

describe('an account is shown', () => {
  test.each([
    [bakery[0], 'Instagram: Blue Door (@bluedoorbakery)'],
    [bakery[3], 'Mastodon: Door (@bluedoor@bakers.example)'],
    [{ id: 7, platform: 'friendster', platformUsername: '@me' }, 'friendster: @me (@me)'],
    [{ id: 8 }, 'ID 8'],
    [{ id: 9, platform: 'x', displayName: '' }, 'X: ID 9'],
  ])('%j', (one, label) => {
    expect(accountLabel(one ?? {})).toBe(label);
  });
});
