import {
  accountLabel,
  BETWEEN_ACCOUNTS,
  findAccount,
  namedAccount,
} from '../../../nodes/SocialPublishing/parameters/accounts';
import { textList } from '../../../nodes/SocialPublishing/parameters/values';

const accounts = [
  {
    id: 1,
    platform: 'instagram',
    platformUsername: 'bluedoorbakery',
    displayName: 'Blue Door',
    isActive: true,
  },
  {
    id: 2,
    platform: 'x',
    platformUsername: 'bluedoorbakes',
    displayName: 'Blue Door',
    isActive: true,
  },
  {
    id: 3,
    platform: 'mastodon',
    platformUsername: 'bluedoor@bakers.example',
    displayName: 'Door',
    isActive: true,
  },
  {
    id: 4,
    platform: 'mastodon',
    platformUsername: 'cafe@bakers.example',
    displayName: 'Cafe',
    isActive: true,
  },
  {
    id: 5,
    platform: 'tiktok',
    platformUsername: 'bluedoorbakery',
    displayName: 'Old',
    isActive: false,
  },
];

test.each([
  [1, { id: 1 }],
  ['12', { id: 12 }],
  [' 12 ', { id: 12 }],
  ['@bluedoorbakery', { name: '@bluedoorbakery' }],
  [' instagram ', { name: 'instagram' }],
  ['Blue Door 2', { name: 'Blue Door 2' }],
  ['7 Corners', { name: '7 Corners' }],
])('%j names an account', (value, expected) => {
  expect(namedAccount(value)).toEqual(expected);
});

test.each([[0], [-1], ['-1'], [1.5], ['1.5'], [' 1.5 '], [''], [' '], [null], [true], [{}], [[1]]])(
  '%j names none',
  (value) => {
    expect(namedAccount(value)).toBeUndefined();
  },
);

test('accounts written as text are parted by commas, semicolons and lines', () => {
  expect(textList('1, @a;instagram\n3', BETWEEN_ACCOUNTS)).toEqual(['1', '@a', 'instagram', '3']);
});

describe('an account is shown', () => {
  test.each([
    [accounts[0], 'Instagram: Blue Door (@bluedoorbakery)'],
    [accounts[2], 'Mastodon: Door (@bluedoor@bakers.example)'],
    [{ id: 7, platform: 'friendster', platformUsername: '@me' }, 'friendster: @me (@me)'],
    [{ id: 8 }, 'ID 8'],
    [{ id: 9, platform: 'x', displayName: '' }, 'X: ID 9'],
  ])('%j', (account, label) => {
    expect(accountLabel(account ?? {})).toBe(label);
  });
});

describe('an account is found', () => {
  test.each([
    ['@bluedoorbakery', 1],
    ['bluedoorbakes', 2],
    ['BlueDoorBakes', 2],
    ['bluedoor@bakers.example', 3],
    ['instagram', 1],
    ['Instagram', 1],
    ['X', 2],
    ['TikTok', 5],
    ['Cafe', 4],
    ['Instagram: Blue Door (@bluedoorbakery)', 1],
  ])('by %s', (name, id) => {
    expect(findAccount(name, accounts)).toEqual({ id });
  });

  test('by its platform as the service writes it, or as its owner does', () => {
    const business = [{ id: 6, platform: 'google_business', platformUsername: 'bluedoor' }];

    expect(findAccount('google_business', business)).toEqual({ id: 6 });
    expect(findAccount('Google Business Profile', business)).toEqual({ id: 6 });
  });

  test('by a handle that the service writes with blanks around it', () => {
    expect(findAccount('bluedoor', [{ id: 6, platformUsername: ' bluedoor ' }])).toEqual({ id: 6 });
  });

  test('not by a handle with a sign left out', () => {
    expect(findAccount('bluedoorbakers.example', accounts)).toMatchObject({
      problem: 'is "bluedoorbakers.example", which is not an account of this workspace',
    });
  });

  test('not by the sign alone, which every account without a handle would answer to', () => {
    expect(findAccount('@', [{ id: 8, platform: 'x' }])).toMatchObject({
      problem: 'is "@", which is not an account of this workspace',
    });
  });

  test.each([
    [
      'mastodon',
      'is "mastodon", which matches 2 accounts',
      'Give one of these by its ID: 3 = Mastodon: Door (@bluedoor@bakers.example); 4 = Mastodon: Cafe (@cafe@bakers.example).',
    ],
    [
      'Blue Door',
      'is "Blue Door", which matches 2 accounts',
      'Give one of these by its ID: 1 = Instagram: Blue Door (@bluedoorbakery); 2 = X: Blue Door (@bluedoorbakes).',
    ],
  ])('not by %s, which is several', (name, problem, hint) => {
    expect(findAccount(name, accounts)).toEqual({ problem, hint });
  });

  test('not by what is none, and the choice is listed', () => {
    expect(findAccount('linkedin', accounts.slice(0, 2))).toEqual({
      problem: 'is "linkedin", which is not an account of this workspace',
      hint: 'Give one of these by its ID: 1 = Instagram: Blue Door (@bluedoorbakery); 2 = X: Blue Door (@bluedoorbakes).',
    });
    expect(findAccount('x', [])).toMatchObject({
      hint: 'The workspace has no connected account: connect one in the service.',
    });
  });

  test('the choice has the active ones first, and marks the others', () => {
    const choice = [
      { id: 1, platform: 'x', platformUsername: 'old', isActive: false },
      { id: 2, platform: 'x', platformUsername: 'new', isActive: true },
    ];
    expect(findAccount('nobody', choice)).toMatchObject({
      hint: 'Give one of these by its ID: 2 = X: new (@new); 1 = X: old (@old) – inactive.',
    });
  });

  test('a long list is cut', () => {
    const many = Array.from({ length: 23 }, (_, index) => ({ id: index + 1, platform: 'x' }));
    expect(findAccount('nobody', many)).toMatchObject({
      hint: expect.stringMatching(/20 = X: ID 20; and 3 more\.$/) as string,
    });
  });
});
