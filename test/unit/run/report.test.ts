import type { IDataObject } from 'n8n-workflow';

import { describeProgress, type ItemOutcomes } from '../../../nodes/SocialPublishing/run/report';
import type { Outcome } from '../../../nodes/SocialPublishing/service/outcome';

const done = (id?: unknown): Outcome<IDataObject[]> => ({
  ok: true,
  value: [id === undefined ? {} : { id }],
  quota: {},
});

const uncertain: Outcome<never> = {
  ok: false,
  failure: { code: 'refused', message: '', description: '', certainty: 'uncertain' },
};

const refused: Outcome<never> = {
  ok: false,
  failure: { code: 'refused', message: '', description: '', certainty: 'refused' },
};

test.each<[string, ItemOutcomes, string]>([
  ['nothing', [undefined], 'Not created: item 0.'],
  ['nothing of several', [undefined, undefined, refused], 'Not created: item 0 to 2.'],
  ['all', [done(7), done('p-8')], 'Created: item 0 (ID 7), item 1 (ID p-8).'],
  [
    'something of each',
    [undefined, done(7), uncertain, refused, undefined, uncertain, uncertain],
    'Created: item 1 (ID 7). May or may not have been created: item 2, 5 to 6. Not created: item 0, 3 to 4.',
  ],
  ['a record without an ID', [done()], 'Created: item 0 (without an ID).'],
  ['a record with an ID that is none', [done({})], 'Created: item 0 (without an ID).'],
  [
    'what may be found by its time',
    [
      {
        ok: false,
        failure: {
          code: 'leftOpen',
          message: '',
          description: '',
          certainty: 'uncertain',
          lookFor: { scheduledAt: '2035-01-01T00:00:00.000Z', candidates: [3, 4] },
        },
      },
    ],
    'May or may not have been created: item 0. Look for item 0 at 2035-01-01T00:00:00.000Z (the service has ID 3, 4).',
  ],
])('of a run that created %s', (_, results, expected) => {
  expect(describeProgress('created', results)).toBe(expected);
});

test('says what the operation does', () => {
  expect(describeProgress('created or updated', [done(7), uncertain, undefined])).toBe(
    'Created or updated: item 0 (ID 7). May or may not have been created or updated: item 1. Not created or updated: item 2.',
  );
});
