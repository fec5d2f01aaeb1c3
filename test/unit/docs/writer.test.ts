import { inWords } from '../../../nodes/SocialPublishing/operations/post/check';
import { FieldError } from '../../../nodes/SocialPublishing/parameters/refusal';
import { errorJson, fieldFailure } from '../../../nodes/SocialPublishing/run/errors';
import { existsFailure, sharedFailure } from '../../../nodes/SocialPublishing/run/slotFailures';
import {
  heldFailure,
  notLoggedFailure,
  notSettledFailure,
  stillOpenFailure,
  unreadableFailure,
} from '../../../nodes/SocialPublishing/run/uncertainty';
import {
  CANCELED,
  connectionFailure,
  credentialFailure,
  otherWorkspaceFailure,
  shapeFailure,
  statusFailure,
  STOPPED,
} from '../../../nodes/SocialPublishing/service/failures';
import type { Failure } from '../../../nodes/SocialPublishing/service/outcome';
import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import { credential, doubts, kinds, node } from '../given';
import { response } from '../service/responses';
import { failures as said } from './messages';

/** What reaches people who don't know the workflow: the mail, the form, the Result column. */

const forWriter = (failure: Failure): string =>
  (errorJson(node, failure, 0)['details'] as { forWriter: string }).forWriter;

const { properties } = new SocialPublishing().description;

/** The options, as the editor calls them, and all fields whose names are more than a word that everybody uses. */
const labels = [
  ...properties
    .filter(({ type }) => type === 'collection')
    .flatMap(({ options = [] }) =>
      options.map((option) => ('displayName' in option ? option.displayName : '')),
    ),
  ...properties.map(({ displayName }) => displayName).filter((label) => label.includes(' ')),
].filter((label, index, all) => label !== '' && all.indexOf(label) === index);

/** What in a text is of the workflow and not of the row; empty where nothing is. */
const ofWorkflow = (text: string): string[] => [
  ...labels.filter((label) => new RegExp(`\\b${label.replace(/[()]/g, '\\$&')}\\b`).test(text)),
  ...(/\{\{|\$json|\.toString|N8N_|WEBHOOK_URL/.exec(text) ?? []),
];

/** The parameters that hold what somebody wrote, and where the texts about them stand. */
const WRITTEN = [
  'content',
  'mediaUrls',
  'accounts',
  'accounts[1]',
  'scheduledAt',
  'overrides.override[0].content',
  'accountTexts',
];

const ABOUT_WRITTEN =
  /(?:parameters\/(?:fieldReader|readers|times\/.*|accounts\/.*)|post\/(?:check|platforms\/.*|compose\/time))\.ts$/;

const aboutWritten = said.filter(({ file }) => ABOUT_WRITTEN.test(file));

const ofFields = aboutWritten.flatMap(({ text, solutions }) =>
  WRITTEN.flatMap((path) =>
    (solutions.length === 0 ? ['Correct it.'] : solutions).map((hint) =>
      fieldFailure(
        new FieldError(path, 'Different for Some Accounts → Date and Time', {
          problem: text,
          hint,
          code: 'a',
          forBuilder: 'Add the option Date Order.',
        }),
      ),
    ),
  ),
);

/** A field that only the builder can correct, whatever is wrong with it. */
const ofBuilder = [
  'options.status',
  'mediaFields',
  'timeZone',
  'slots',
  'options.variantsJson[0].content',
  'credential.workspaceId',
].flatMap((path) =>
  said.map(({ text, solutions: [hint = ''] }) =>
    fieldFailure(new FieldError(path, 'Media Files', { problem: text, hint })),
  ),
);

const sent = [false, true].map((writes) => ({ credential, writes }));
const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
const [refused] = sent.map((one) =>
  statusFailure(response(422, '{"message":"The text is rude."}'), one, 0),
);

const ofRun: Failure[] = [
  ...sent.flatMap((one) => [
    ...statuses.map((status) => statusFailure(response(status, ''), one, 0)),
    ...['ECONNREFUSED', 'ETIMEDOUT', 'CERT_HAS_EXPIRED', 'SSRFBlockedIpError'].flatMap((code) =>
      [false, true].map((neverSent) =>
        connectionFailure({ responded: false, code, neverSent }, one),
      ),
    ),
    shapeFailure(response(200, 'oops'), 'posts', one),
  ]),
  refused!,
  credentialFailure({
    name: 'apiKey',
    field: 'API Key',
    problem: 'is empty',
    solution: 'Enter the API Key.',
  }),
  ...kinds.flatMap((kind) => doubts.map((doubt) => heldFailure(doubt, kind))),
  notSettledFailure(undefined, 'otherPosts', {}),
  stillOpenFailure(refused!),
  unreadableFailure(refused!, 2, 'post'),
  notLoggedFailure('locked'),
  otherWorkspaceFailure(2, 1),
  existsFailure({ id: 3 }, 'post'),
  existsFailure({ id: 3 }, 'time'),
  sharedFailure(2),
  fieldFailure(new Error('Text has an expression that fails: {{ $json.a }}')),
  fieldFailure(
    new FieldError('content', 'Text', {
      problem: 'has an expression that fails: {{ $json.a }}',
      hint: 'Correct {{ $json.a }}.',
      code: 'failingExpression',
    }),
  ),
  CANCELED,
  STOPPED,
];

test('there are texts about what people write, and labels to look for', () => {
  expect(aboutWritten.length).toBeGreaterThan(40);
  expect(labels.length).toBeGreaterThan(20);
  expect(labels).toEqual(expect.arrayContaining(['Date Order', 'Date and Time', 'Media URLs']));
  expect(ofWorkflow('Add the option Date Order: {{ 1 }}')).toEqual(['Date Order', '{{']);
});

test.each([
  ['about what somebody wrote', ofFields],
  ['that only the builder can correct', ofBuilder],
  ['of the run and the service', ofRun],
])('a failure %s says something to its writer, and names nothing of the workflow', (_, all) => {
  const texts = [...new Set(all.map(forWriter))];
  expect(texts.filter((text) => !/^[A-Z].{20,}[.?]$/.test(text))).toEqual([]);
  expect(texts.filter((text) => ofWorkflow(text).length > 0)).toEqual([]);
});

test('a warning is what the writer of a row would be told if it stopped the post', () => {
  for (const path of WRITTEN) {
    const wrong = new FieldError(path, 'Media URLs', { problem: 'is odd', hint: 'Correct it.' });
    expect(`${inWords(wrong)}.`).toBe(forWriter(fieldFailure(wrong)));
  }
});

test('a failure about what somebody wrote says what is wrong and what to do', () => {
  expect(new Set(ofFields.map(forWriter)).size).toBeGreaterThan(aboutWritten.length);
  expect(forWriter(refused!)).toContain('The text is rude');
});
