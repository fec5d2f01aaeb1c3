import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { operations } from '../../../nodes/SocialPublishing/operations';
import { FieldError } from '../../../nodes/SocialPublishing/parameters/refusal';
import {
  errorJson,
  fieldFailure,
  nodeError,
  operationError,
} from '../../../nodes/SocialPublishing/run/errors';
import type { ItemOutcomes } from '../../../nodes/SocialPublishing/run/outcomes';
import { stopError } from '../../../nodes/SocialPublishing/run/stopped';
import {
  type Failed,
  failed,
  type Failure,
  succeeded,
} from '../../../nodes/SocialPublishing/service/outcome';
import { node } from '../given';

const notSent: Failure = {
  code: 'unreadableTime',
  field: 'scheduledAt',
  message: 'Date and Time is "soon", which cannot be read as a date and time',
  description: 'Give a date.',
  certainty: 'notSent',
};

const LONG = 'x'.repeat(1000);

const refused: Failure = {
  code: 'keyNotAccepted',
  message: 'The API key was not accepted (401)',
  description: 'Copy the key again.',
  certainty: 'refused',
  httpCode: 401,
};

describe('nodeError', () => {
  test('for what was not sent is about the operation, and names the item', () => {
    const error = nodeError(node, notSent, 3, '');

    expect(error).toBeInstanceOf(NodeOperationError);
    expect(error.message).toBe(
      'Date and Time is "soon", which cannot be read as a date and time [item 3]',
    );
    expect(error.description).toBe('Give a date.');
    expect(error.context).toMatchObject({
      itemIndex: 3,
      code: 'unreadableTime',
      field: 'scheduledAt',
      certainty: 'notSent',
    });
  });

  test('for an answer of the service is about the API, with its status', () => {
    const error = nodeError(node, refused, 0, 'Created: item 1 (ID 7).');

    expect(error).toBeInstanceOf(NodeApiError);
    expect(error.message).toBe('The API key was not accepted (401) [item 0]');
    expect(error.description).toBe('Copy the key again. Created: item 1 (ID 7).');
    expect((error as NodeApiError).httpCode).toBe('401');
    expect(error.context).toMatchObject({
      itemIndex: 0,
      code: 'keyNotAccepted',
      certainty: 'refused',
      httpCode: 401,
    });
  });

  test('tells a model, which sees the message alone, what to do next', () => {
    const tool = { ...node, type: `${node.type}Tool` };

    expect(nodeError(tool, notSent, 0, '').message).toBe(
      'Date and Time is "soon", which cannot be read as a date and time. Give a date. [item 0]',
    );
  });

  // n8n would say "The file or directory already exists" and the like.
  test.each([
    'The preexisting agent is not known',
    'The service at liveaccess.example.com could not be reached: the connection was refused',
    'No complete response came from 127.0.0.1: (ECONNRESET)',
    'getaddrinfo is "enoent"',
  ])('keeps its own words: %s', (message) => {
    expect(nodeError(node, { ...notSent, message }, 0, '').message).toBe(`${message} [item 0]`);
    expect(nodeError(node, { ...refused, message }, 0, '').message).toBe(`${message} [item 0]`);
  });
});

describe('stopError', () => {
  const create = operations.find((one) => one.kind === 'write')!;
  const all = Array.from({ length: 10_000 }, (_, item) => item);
  const told = (results: ItemOutcomes) => {
    const item = results.findIndex((result) => result?.ok === false);
    const result = results[item] as Failed;
    const { message, description } = stopError(node, create, results, [item, result.failure]);
    return `${message} ${description}`;
  };

  test.each<[string, ItemOutcomes]>([
    [
      'each refused for a reason of its own',
      all.map((n) => failed({ ...notSent, message: `${n} ${LONG}` })),
    ],
    [
      'each with other words of what to do',
      all.map((n) => failed({ ...notSent, message: `${n}`, description: `${n} ${LONG}` })),
    ],
    ['every second refused', all.map((n) => (n % 2 === 0 ? failed(notSent) : undefined))],
    [
      'every second created',
      all.map((n) => (n % 2 === 0 ? succeeded([{ id: n }], {}) : failed(refused))),
    ],
    [
      'every second uncertain',
      all.map((n) =>
        n % 2 === 0
          ? undefined
          : failed({
              ...refused,
              certainty: 'uncertain',
              lookFor: { scheduledAt: '2035-01-01T09:00:00.000Z' },
            }),
      ),
    ],
  ])('is short for 10,000 items, %s', (_, results) => {
    expect(told(results).length).toBeLessThan(7_000);
  });

  test('names the first ten problems with their rows, and the rows of the others', () => {
    const named = (n: number) => `No ${String.fromCharCode(97 + n)}`;
    const results = all
      .slice(0, 30)
      .map((n) => (n < 18 ? failed({ ...notSent, message: named(n) }) : undefined));
    const words = told(results);

    expect(words).toMatch(/^18 .*\b30\b/);
    expect(words.match(/No [a-z]\b/g)).toEqual(all.slice(0, 10).map(named));
    expect(words).toMatch(/Row 10 \(item 9\).*11 to 18.*\b12 items\b.*Continue/);
    expect(words.match(/Give a date/g)).toHaveLength(1);
  });

  test('names once what differs in a quotation, a number or a day, with all rows', () => {
    const results = ['"1/2", 2 Jan 2035', '"1/3", 3 Feb 2035', '"1/4", 4 Mar 2035'].map((day) =>
      failed({ ...notSent, message: `It is ${day}` }),
    );
    const words = told(results);

    expect(words.match(/It is/g)).toHaveLength(1);
    expect(words).toMatch(/Row 1 \(item 0\).*2 Jan 2035\..*rows 2 to 3/);
  });
});

describe('operationError', () => {
  const message = 'The list at liveaccess.example.com cannot be read';

  test('keeps the words that n8n takes away', () => {
    expect(new NodeOperationError(node, message).message).not.toBe(message);
    expect(operationError(node, { message, description: '' }).message).toBe(message);
  });

  test('escapes what the editor would take for a tag', () => {
    const description = 'The service says: “<b>No</b> & never”.';

    expect(operationError(node, { message, description }).description).toBe(
      'The service says: “&lt;b&gt;No&lt;/b&gt; &amp; never”.',
    );
    expect(nodeError(node, { ...refused, description }, 0, '').description).toBe(
      'The service says: “&lt;b&gt;No&lt;/b&gt; &amp; never”.',
    );
  });
});

describe('fieldFailure', () => {
  test('of a field says which, what is wrong and what to do', () => {
    const error = new FieldError('options.concurrency', 'Options → Concurrency', {
      problem: 'is 0, which is too small',
      hint: 'Give 1.',
    });

    expect(fieldFailure(error)).toEqual({
      code: 'invalidField',
      field: 'options.concurrency',
      message: 'Options → Concurrency is 0, which is too small',
      description: 'Give 1.',
      certainty: 'notSent',
    });
  });

  test.each([
    [
      'with a description',
      Object.assign(new Error('Bad expression'), { description: 'See the docs.' }),
      'Bad expression',
      'See the docs.',
    ],
    ['without one', new Error('Odd'), 'Odd', ''],
    ['that is no error', 'odd', 'odd', ''],
    [
      'with tags',
      Object.assign(new Error('No <b>data</b>'), {
        description: 'Run ‘<strong>A &amp; B</strong>’<br/>first',
      }),
      'No data',
      'Run ‘A & B’ first',
    ],
  ])('of an error of n8n %s', (_, error, message, description: unknown) => {
    expect(fieldFailure(error)).toEqual({
      code: 'unreadableField',
      message,
      description,
      certainty: 'notSent',
    });
  });
});

describe('errorJson', () => {
  test('tells what happened, what to do and what is certain', () => {
    expect(errorJson(node, refused, 2)).toEqual({
      error: 'The API key was not accepted (401) [item 2]',
      details: {
        code: 'keyNotAccepted',
        certainty: 'refused',
        httpCode: 401,
        forWriter: 'The service refused it. Tell whoever built this workflow.',
        forBuilder: 'Copy the key again.',
      },
    });
  });

  test('has no status where the service gave none', () => {
    expect(errorJson(node, notSent, 2)).toEqual({
      error: 'Date and Time is "soon", which cannot be read as a date and time [item 2]',
      details: {
        code: 'unreadableTime',
        field: 'scheduledAt',
        certainty: 'notSent',
        forWriter:
          'It was not sent. The cause is not in what you wrote. Tell whoever built this workflow.',
        forBuilder: 'Give a date.',
      },
    });
  });

  test('tells whoever wrote it why, and that it may exist, where both is known', () => {
    const open = { ...refused, certainty: 'uncertain' as const, forWriter: 'Write another date.' };
    const { details } = errorJson(node, open, 2);
    expect(details).toMatchObject({
      forWriter:
        'Write another date. It may or may not have been sent. Look in the service before you ask for it again.',
    });
  });
});
