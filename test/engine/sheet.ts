import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import type { IDataObject, INode } from 'n8n-workflow';

import { addAccount } from '../support/records';
import { inARow, records, useSandbox } from './harness';

const service = useSandbox();

const NODE = 'Schedule a post';

/** The nodes of a planning example. */
const nodes = (
  JSON.parse(
    readFileSync(
      join(__dirname, '..', '..', 'examples', 'schedule-posts-from-google-sheets.json'),
      'utf8',
    ),
  ) as { nodes: INode[] }
).nodes;

const node = (name: string): INode => nodes.find((one) => one.name === name)!;

const drive = 'https://drive.google.com/file/d/1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7/view?usp=sharing';

const driveFile =
  'https://drive.google.com/uc?export=download&id=1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7';

const driveFolder = 'https://drive.google.com/drive/folders/1a2B3c4D5e6F';

const dropbox = 'https://www.dropbox.com/s/abc123/a.jpg?dl=0';

const dropboxFile = 'https://www.dropbox.com/s/abc123/a.jpg?dl=1';

const picture = 'https://media.example/a.jpg';

/** What comes of a row: the moment and the platforms of its post, and what is not as in the row; or why there is none. */
type Outcome = readonly [moment: string, platforms: string, media?: string] | string;

/** [Date, Time, Accounts, Text, Picture, what comes of it] */
type Row = readonly [unknown, unknown, string, string, string, Outcome];

/** As n8n reads a CSV file: each value is a text. The workflow is in Berlin. */
const csv: Row[] = [
  ['2030-05-01', '09:00', 'instagram', 'ISO', picture, ['2030-05-01T07:00', 'instagram']],
  ['05/02/2030', '9:00 AM', 'LI', 'Two ways', '', 'ambiguousDate scheduledAt'],
  ['05/13/2030', '9:00 AM', 'LI', 'US', '', ['2030-05-13T07:00', 'linkedin']],
  ['14.05.2030', '9:00', 'Twitter', 'German', '', ['2030-05-14T07:00', 'x']],
  ['15.5.30', '9 Uhr', 'facebook', 'Short', '', ['2030-05-15T07:00', 'facebook']],
  [
    'May 16, 2030',
    '9:30 PM',
    'LinkedIn (Company)',
    'English',
    '',
    ['2030-05-16T19:30', 'linkedin'],
  ],
  ['17. Mai 2030', '18:00', 'IG + FB', 'Two', picture, ['2030-05-17T16:00', 'instagram facebook']],
  ['18 mai 2030', '18h30', 'LI', 'French', '', ['2030-05-18T16:30', 'linkedin']],
  ['2030-05-19', '', 'LI', 'No time', '', 'noTimeOfDay scheduledAt'],
  ['2020-05-20', '09:00', 'LI', 'Past', '', 'timePassed scheduledAt'],
  ['', '', 'LI', 'No date', '', 'invalidField scheduledAt'],
  ['', '', '', '', '', 'invalidField scheduledAt'],
  ['2030-05-21', '10:00', 'Pinterest', 'Nobody', '', 'noSuchAccount accounts'],
  ['2030-05-21', '10:00', 'instagarm', 'Typo', picture, 'noSuchAccount accounts'],
  ['2030-05-22', '25:00', 'LI', 'No such time', '', 'noSuchTime scheduledAt'],
  ['31.04.2030', '09:00', 'LI', 'No such day', '', 'noSuchDay scheduledAt'],
  ['2030-06-01', '09:00', 'X', 'x'.repeat(300), '', 'platformRefuses content'],
  ['2030-06-02', '09:00', 'IG', 'No picture', '', 'platformRefuses mediaUrls'],
  ['2030-06-03', '09:00', 'IG', 'Drive', drive, ['2030-06-03T07:00', 'instagram', driveFile]],
  ['2030-06-04', '09:00', 'IG', 'Folder', driveFolder, 'platformRefuses mediaUrls'],
  ['2030-06-05', '09:00', 'TT', 'Inactive', picture, 'inactiveAccount accounts'],
];

/** As n8n reads an Excel file: serial numbers, and dates in ISO 8601. */
const xlsx: Row[] = [
  [47626, 0.375, 'LI', 'Serial', '', ['2030-05-23T07:00', 'linkedin']],
  ['2030-05-24', 0.75, 'LI', 'Fraction', '', ['2030-05-24T16:00', 'linkedin']],
  ['2030-05-25', '1899-12-31T09:00:00', 'LI', 'Day 0', '', ['2030-05-25T07:00', 'linkedin']],
  ['2030-05-26 00:00:00', '10:00:00', 'LI', 'Day 1', '', ['2030-05-26T08:00', 'linkedin']],
  [47630.5, '', 'LI', 'One cell', '', ['2030-05-27T10:00', 'linkedin']],
];

/** As n8n's Google Sheets node reads a sheet. */
const sheets: Row[] = [
  [47631, 10 / 24, 'LI', 'Serials', '', ['2030-05-28T08:00', 'linkedin']],
  ['29/05/2030', '10:00', 'LI', 'Day first', '', ['2030-05-29T08:00', 'linkedin']],
  ['5/30/2030', '10', 'LI', 'An hour', '', ['2030-05-30T08:00', 'linkedin']],
  ['2030-05-31', '10:00', 'IG', 'Dropbox', dropbox, ['2030-05-31T08:00', 'instagram', dropboxFile]],
];

const rows = [...csv, ...xlsx, ...sheets];

const itemOf = ([date, time, accounts, text, media]: Row, index: number): IDataObject => ({
  row_number: index + 2,
  Date: date as string,
  Time: time as string,
  Accounts: accounts,
  Text: text,
  Picture: media,
  Ready: true,
  Result: '',
});

/** Runs the node of the example with its own parameters. */
async function schedule(rows: readonly Row[]): Promise<IDataObject[]> {
  const example = node(NODE);
  const workflow = inARow(
    { name: 'Start', type: 'test-nodes.start' },
    {
      ...example,
      parameters: { ...example.parameters, scheduledAt: '={{ $json.Date }} {{ $json.Time }}' },
      credentials: { socialPublishingApi: { id: 'sandbox', name: 'Sandbox' } },
    },
  );
  const run = await service.run(workflow, rows.map(itemOf), { timezone: 'Europe/Berlin' });
  return records(run, NODE);
}

/** What the example writes into the Result column of an item. */
function resultOf(item: IDataObject): string {
  const say = (expression: unknown, json: IDataObject): string | boolean =>
    runInNewContext(String(expression).slice('={{'.length, -'}}'.length), {
      $json: json,
      $itemIndex: 0,
      $: () => ({ all: () => [] }),
    }) as string | boolean;
  const { assignments } = node('See what became of it').parameters.assignments as {
    assignments: Array<{ name: string; value: string }>;
  };
  const known = Object.fromEntries(assignments.map(({ name, value }) => [name, say(value, item)]));
  const { value } = node('Write down the result').parameters.columns as { value: IDataObject };
  return String(say(value.Result, { ...item, ...known }));
}

/** What came of an item: what was sent for it, or the code and the field of its failure. */
function outcomeOf({ id, details }: IDataObject): unknown {
  const { store } = service.sandbox;
  const post = store.posts.find((one) => one.id === id);
  if (post === undefined) {
    const { code, field } = details as { readonly code: string; readonly field: string };
    return `${code} ${field.replace(/\[.*/, '')}`;
  }
  const [variant] = post.variants;
  const platforms = post.variants.map((one) => store.account(one.socialAccountId)?.platform);
  return [post.scheduledAt, platforms.join(' '), variant?.content, ...(variant?.mediaUrls ?? [])];
}

const outcomeFor = ([, , , text, media, came]: Row): unknown =>
  typeof came === 'string'
    ? came
    : [`${came[0]}:00.000Z`, came[1], text, ...[came[2] ?? media].filter((url) => url !== '')];

beforeEach(() => {
  for (const platform of ['instagram', 'x', 'linkedin', 'facebook', 'tiktok', 'youtube']) {
    addAccount(service.sandbox, {
      platform,
      platformUsername: `${platform}bakery`,
      displayName: 'Bakery',
      ...(platform === 'tiktok' && { isActive: false }),
    });
  }
});

test('30 rows as people keep them: what a person understands is sent, and each row says what came of it', async () => {
  const items = await schedule(rows);

  expect(items.map(outcomeOf)).toEqual(rows.map(outcomeFor));
  const results = items.map(resultOf);
  expect(results.filter((text) => text.startsWith('Not scheduled: '))).toHaveLength(13);
  expect(results[0]).toBe('Scheduled as post 1 for Wed 1 May 2030, 09:00 (Europe/Berlin).');
  expect(results.at(-1)).toMatch(/^Scheduled as post 17 for Fri 31 May 2030, 10:00 /);
});

test('run again with two more rows, there are two posts, and each row has the ID of its own', async () => {
  const before = await schedule(rows);
  const more: Row[] = [
    ['2030-07-01', '09:00', 'LI', 'New', '', ['2030-07-01T07:00', 'linkedin']],
    [47665, 0.5, 'X', 'New, too', '', ['2030-07-01T10:00', 'x']],
  ];

  const after = await schedule([more[0]!, ...rows, more[1]!]);

  expect(after.map(({ id }) => id)).toEqual([18, ...before.map(({ id }) => id), 19]);
  expect([after[0]!, after.at(-1)!].map(outcomeOf)).toEqual(more.map(outcomeFor));
  expect(service.sandbox.store.posts).toHaveLength(19);
});
