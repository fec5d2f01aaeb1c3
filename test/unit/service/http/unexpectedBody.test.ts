import {
  describeBody,
  errorText,
  shorten,
} from '../../../../nodes/SocialPublishing/service/http/unexpectedBody';
import { response } from '../responses';

const asIs = (text: string) => text;

const ofBody = (body: unknown) => response(400, JSON.stringify(body), {}, 'Bad Request');

describe('errorText', () => {
  test.each<[unknown, string]>([
    [{ message: 'No' }, 'No'],
    [{ error: 'No' }, 'No'],
    [{ error: { message: 'No' } }, 'No'],
    [{ error: { code: 7, error: { message: 'No' } } }, 'No'],
    [{ errors: ['No'] }, 'No'],
    [{ errors: ['No', 'Never'] }, 'No; Never'],
    [{ errors: [{ message: 'No' }, { detail: 'Never' }] }, 'No; Never'],
    [{ errors: 'No' }, 'No'],
    [{ detail: 'No' }, 'No'],
    [{ detail: [{ message: 'No' }] }, 'No'],
    [{ title: 'No' }, 'No'],
    [[{ message: 'No' }], 'No'],
    ['No', 'No'],
    // The most telling of several.
    [{ statusCode: 400, error: 'Bad Request', message: 'No' }, 'No'],
    [{ title: 'Bad Request', detail: 'No' }, 'No'],
    [{ message: '', error: ' ', detail: 'No' }, 'No'],
    [{ message: 'Invalid', errors: ['content is too long'] }, 'Invalid: content is too long'],
    [{ message: 'Invalid: No', errors: ['No'] }, 'Invalid: No'],
    // With the field that it names.
    [{ field: 'scheduledAt', message: 'is in the past' }, 'scheduledAt: is in the past'],
    [{ field: 'scheduledAt', message: 'scheduledAt is past' }, 'scheduledAt is past'],
    [{ field: 7, message: 'No' }, 'No'],
    [
      { message: 'Invalid', errors: [{ field: 'content', message: 'is empty' }] },
      'Invalid: content: is empty',
    ],
    // White space and length.
    [{ message: '  No\r\n\t never  ' }, 'No never'],
    [{ message: 'x'.repeat(300) }, 'x'.repeat(300)],
    [{ message: 'x'.repeat(301) }, `${'x'.repeat(300)}…`],
    // Nothing to be told.
    [{}, 'Bad Request'],
    [{ field: 'content' }, 'Bad Request'],
    [{ message: 42, error: true, errors: [null, {}] }, 'Bad Request'],
    [[], 'Bad Request'],
    [null, 'Bad Request'],
    [42, 'Bad Request'],
  ])('of %j is %j', (body, expected) => {
    expect(errorText(ofBody(body), asIs)).toBe(expected);
  });

  test.each([
    ['nothing', ''],
    ['a web page', '<!doctype html><h1>Bad gateway</h1>'],
    ['a plain text', 'upstream timed out'],
    ['malformed JSON', '{"message":"No"'],
  ])('of %s is the status text', (_, text) => {
    expect(errorText(response(502, text, {}, 'Bad Gateway'), asIs)).toBe('Bad Gateway');
  });

  test('without a status text is nothing', () => {
    expect(errorText(response(502), asIs)).toBe('');
  });

  test('may begin with a byte order mark', () => {
    expect(errorText(response(400, '\ufeff{"message":"No"}'), asIs)).toBe('No');
  });

  test('stops at a depth in an endlessly nested body', () => {
    const deep = `${'{"error":'.repeat(100_000)}"No"${'}'.repeat(100_000)}`;
    const wide = `${'['.repeat(100_000)}"No"${']'.repeat(100_000)}`;

    expect(errorText(response(400, deep, {}, 'Bad Request'), asIs)).toBe('Bad Request');
    expect(errorText(response(400, wide, {}, 'Bad Request'), asIs)).toBe('Bad Request');
  });

  test('is cut only after secrets are hidden', () => {
    const text = errorText(ofBody({ message: `${'x'.repeat(295)}secret` }), (all) =>
      all.replace('secret', '***'),
    );

    expect(text).toBe(`${'x'.repeat(295)}***`);
  });
});

describe('describeBody', () => {
  const words = (text: string): string => describeBody(response(200, text), 'posts', asIs);

  test.each([
    ['', ' \r\n', '\ufeff'],
    ['<!DOCTYPE html><html></html>', '\n <html lang="en">', '<?xml version="1.0"?><a/>', '<body>'],
  ])('says the same of %j, %j and the like', (...texts) => {
    expect(new Set(texts.map(words)).size).toBe(1);
  });

  test('tells apart what came', () => {
    const texts = ['', '<html>', 'oops', '{}', '{"a":1}', '[]', '"posts"', '42', 'true', 'null'];

    expect(new Set(texts.map(words)).size).toBe(texts.length);
  });

  test.each([
    ['oops', 'oops'],
    ["{'posts':[]}", "{'posts':[]}"],
    [`{"posts":[${'1,'.repeat(40)}`, `{"posts":[${'1,'.repeat(25)}`],
  ])('quotes the first words of %s', (text, beginning) => {
    expect(words(text)).toContain(`“${beginning}”`);
  });

  test.each([
    ['{"error":"<html></html>"}', 'error'],
    ['{"result":1,"ok":true}', 'result, ok'],
    ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}', 'a, b, c, d, e, f, g, h'],
  ])('names the fields of %s', (text, names) => {
    expect(words(text)).toMatch(new RegExp(`"posts".*\\b${names}\\)$`));
  });

  test('tells apart why a body was not read', () => {
    const problems = ['tooLarge', 'tooSlow', 'undecodable', 'tooDeep'] as const;
    const told = problems.map((problem) =>
      describeBody({ ...response(200), problem }, 'posts', asIs),
    );

    expect(new Set(told).size).toBe(problems.length);
  });

  test('cuts a very long name', () => {
    const came = describeBody(
      response(200, JSON.stringify({ ['x'.repeat(5000)]: 1 })),
      'posts',
      asIs,
    );

    expect(came).toContain(` ${'x'.repeat(300)}…)`);
  });

  test.each([
    ['not valid JSON', `${'x'.repeat(56)}secret`],
    ['of other names', '{"secret":1}'],
  ])('hides what must be hidden in a response that is %s', (_, text) => {
    const came = describeBody(response(200, text), 'posts', (all) => all.replace('secret', '***'));

    expect(came).toContain('***');
    expect(came).not.toContain('secr');
  });
});

test('shorten leaves one line of at most 300 characters and a mark', () => {
  expect(shorten(' a\n\n b\tc ')).toBe('a b c');
  expect(shorten('y'.repeat(1000))).toBe(`${'y'.repeat(300)}…`);
});
