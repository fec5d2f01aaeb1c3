import {
  list,
  page,
  record,
  writtenRecord,
} from '../../../../nodes/SocialPublishing/service/http/body';
import { response } from '../responses';

describe('record', () => {
  test.each([
    ['{"post":{"id":1}}', { id: 1 }],
    ['\ufeff {"post":{}, "more":1}\n', {}],
  ])('of %j is what the field holds', (text, expected) => {
    expect(record(response(201, text), 'post')).toEqual([expected]);
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"post":null}',
    '{"post":[]}',
    '{"post":"1"}',
    '{"posts":{"id":1}}',
    '[{"post":{}}]',
    '{"post":{"id":1}',
    '<html></html>',
  ])('of %j is none', (text) => {
    expect(record(response(200, text), 'post')).toBeUndefined();
  });
});

describe('writtenRecord', () => {
  const read = (post: unknown) => writtenRecord(response(201, JSON.stringify({ post })), 'post');

  test.each([{ id: 0 }, { id: 7, status: 'scheduled' }, { id: '7' }])(
    'of %j is the record',
    (post) => {
      expect(read(post)).toEqual(post);
    },
  );

  test.each([{}, { id: null }, { id: '' }, { id: ' ' }, { id: true }, { id: [7] }, 7, null])(
    'of %j is none',
    (post) => {
      expect(read(post)).toBeUndefined();
    },
  );
});

describe.each([
  ['list', (text: string) => list(response(200, text), 'posts')],
  ['page', (text: string) => page(response(200, text), 'posts')?.records],
])('%s', (_, read) => {
  test.each([
    ['{"posts":[]}', []],
    ['{"posts":[{"id":1},{}],"total":2}', [{ id: 1 }, {}]],
  ])('of %j is what the field holds', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    '',
    '{}',
    '[]',
    '[{"id":1}]',
    '{"posts":{}}',
    '{"posts":null}',
    '{"posts":[1]}',
    '{"posts":[null]}',
    '{"posts":[[]]}',
    '{"posts":[{"id":1},"2"]}',
    '{"accounts":[]}',
  ])('of %j is none', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('page', () => {
  test('without records is none', () => {
    expect(page(response(200, '{"limit":50,"total":1234}'), 'posts')).toBeUndefined();
  });

  test.each([
    [{ limit: 50, total: 1234 }, 50, 1234],
    [{ limit: 1, total: 0 }, 1, 0],
    [{ limit: 0 }, undefined, undefined],
    [{ limit: -1, total: -1 }, undefined, undefined],
    [{ limit: '50', total: '1234' }, undefined, undefined],
    [{ limit: 12.5, total: 1e300 }, undefined, undefined],
    [{ limit: null, total: null }, undefined, undefined],
  ])('reads %j', (named, limit, total) => {
    const text = JSON.stringify({ posts: [{ id: 1 }], ...named });

    expect(page(response(200, text), 'posts')).toEqual({
      records: [{ id: 1 }],
      limit,
      total,
    });
  });
});
