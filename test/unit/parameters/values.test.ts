import { BETWEEN_URLS } from '../../../nodes/SocialPublishing/parameters/readers';
import {
  COMMAS,
  idNumber,
  isEmpty,
  quote,
  textList,
  wholeNumber,
  withoutEmpty,
} from '../../../nodes/SocialPublishing/parameters/values';

describe('isEmpty', () => {
  test.each([[undefined], [null], [''], [' \t\r\n']])('%j is', (value) => {
    expect(isEmpty(value)).toBe(true);
  });

  test.each([['x'], [0], [false], [[]], [{}]])('%j is not', (value) => {
    expect(isEmpty(value)).toBe(false);
  });
});

describe('wholeNumber', () => {
  test.each([
    ['12', 12],
    [' 12\n', 12],
    ['007', 7],
    ['0', 0],
    [0, 0],
    [12, 12],
    ['9007199254740991', 9007199254740991],
    [9007199254740991, 9007199254740991],
  ])('%j is %i', (value, expected) => {
    expect(wholeNumber(value)).toBe(expected);
  });

  test.each([
    [12.5],
    ['12.5'],
    ['12.0'],
    ['12,000'],
    [-1],
    ['-1'],
    ['+1'],
    ['1e3'],
    ['0x10'],
    [2 ** 60],
    ['9007199254740993'],
    [Number.NaN],
    [Infinity],
    ['Infinity'],
    [''],
    [' '],
    ['１２'],
    ['12a'],
    [true],
    [null],
    [undefined],
    [[12]],
    [{}],
    [new Date(0)],
  ])('%p is none', (value) => {
    expect(wholeNumber(value)).toBeUndefined();
  });
});

describe('idNumber', () => {
  test.each([
    [1, 1],
    ['12', 12],
    [0, undefined],
    ['0', undefined],
    [-1, undefined],
    ['a', undefined],
  ])('%j is %p', (value, expected) => {
    expect(idNumber(value)).toBe(expected);
  });
});

describe('textList', () => {
  test.each([
    [undefined, []],
    [null, []],
    ['', []],
    [' \n ', []],
    [[], []],
    ['instagram', ['instagram']],
    ['instagram, linkedin', ['instagram', 'linkedin']],
    ['instagram,linkedin,', ['instagram', 'linkedin']],
    [',, instagram\r\n\r\n linkedin ,', ['instagram', 'linkedin']],
    ['two words, linkedin', ['two words', 'linkedin']],
    [
      ['instagram', ' linkedin ', ''],
      ['instagram', 'linkedin'],
    ],
    [['a, b'], ['a, b']],
    [' ["instagram", "linked,in"] ', ['instagram', 'linked,in']],
    ['[]', []],
    ['[instagram, linkedin]', ['[instagram', 'linkedin]']],
  ])('with commas, %j is %j', (value, expected) => {
    expect(textList(value, COMMAS)).toEqual(expected);
  });

  const a = 'https://example.com/a.jpg';
  const b = 'http://example.com/b.jpg';
  test.each([
    [a, [a]],
    [`${a}\n${b}`, [a, b]],
    [`${a}\r\n${b}\r\n`, [a, b]],
    [`${a} ${b}`, [a, b]],
    [`${a}, ${b}`, [a, b]],
    [`${a},${b}`, [a, b]],
    [`${a},HTTPS://EXAMPLE.COM/b.jpg`, [a, 'HTTPS://EXAMPLE.COM/b.jpg']],
    [`${a},\n${b},`, [a, b]],
    [`  ${a}  `, [a]],
    [
      'https://example.com/w_100,h_50/a.jpg,https://example.com/b,c.jpg',
      ['https://example.com/w_100,h_50/a.jpg', 'https://example.com/b,c.jpg'],
    ],
    [`["${a}","${b}"]`, [a, b]],
    [
      [a, b],
      [a, b],
    ],
    [[`${a},${b}`], [`${a},${b}`]],
    ['https://[::1]/a.jpg', ['https://[::1]/a.jpg']],
  ])('of URLs, %j is %j', (value, expected) => {
    expect(textList(value, BETWEEN_URLS)).toEqual(expected);
  });

  test.each([[12], [true], [{}], [{ 0: 'a' }], [[1]], [['a', null]], [[['a']]], ['[1, 2]']])(
    '%j is none',
    (value) => {
      expect(textList(value, COMMAS)).toBeUndefined();
    },
  );
});

describe('quote', () => {
  test.each([
    ['soon', '"soon"'],
    ['', '""'],
    [12.5, '"12.5"'],
    [true, '"true"'],
    [{ a: 1 }, '"{"a":1}"'],
    [['a'], '"["a"]"'],
    [undefined, '"undefined"'],
    [null, '"null"'],
    [Number.NaN, '"NaN"'],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
  ])('%j as %s', (value, expected) => {
    expect(quote(value)).toBe(expected);
  });
});

test('withoutEmpty leaves out what is not there and nothing else', () => {
  expect(
    Object.entries(withoutEmpty({ a: undefined, b: null, c: '', d: 0, e: false, f: [], g: {} })),
  ).toEqual([
    ['b', null],
    ['c', ''],
    ['d', 0],
    ['e', false],
    ['f', []],
    ['g', {}],
  ]);
});
