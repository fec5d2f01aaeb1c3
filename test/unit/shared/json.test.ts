import { isObject, parseJson } from '../../../nodes/shared/json';

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['{}', false],
  [1, false],
  [undefined, false],
])('%j is an object: %p', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

describe('parseJson', () => {
  test.each([
    ['{"a":[1]}', { a: [1] }],
    [' null ', null],
    ['\ufeff[1]', [1]],
    ['"a\ufeffb"', 'a\ufeffb'],
    ['0', 0],
    ['""', ''],
  ])('%s means %j', (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });

  test.each(['', '{', "{'a':1}", '{"a":1,}', 'undefined', '{}{}'])('%s means nothing', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });
});
