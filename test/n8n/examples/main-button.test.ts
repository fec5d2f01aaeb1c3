import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import type { IPinData } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { type Execution, outputOf } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { exampleNames } from '../../../scripts/n8n/workflow-files';
import { comesTo } from '../support/comes-to';
import { Editor } from '../support/editor';
import { ModelServer } from '../support/model-server';
import { keepPicture } from '../support/pictures';
import { type Feed, openFeed } from './feed';
import { fillInForm, nextPage } from './form';
import { Gallery } from './gallery';
import { decide, type Mailbox, nextMessage, openMailbox, saveMailCredential } from './mailbox';
import { airtableRecords, sheetRows } from './rows';

let gallery: Gallery;
let editor: Editor;
let mailbox: Mailbox;
let model: ModelServer;
let feed: Feed;
let folder: string;

beforeAll(async () => {
  gallery = await Gallery.open();
  mailbox = await openMailbox();
  model = await ModelServer.start();
  feed = await openFeed('Rye is back');
  await saveMailCredential(gallery.bench.api, mailbox);
  await gallery.bench.api.saveCredential({
    name: 'OpenAI account',
    type: 'openAiApi',
    data: { apiKey: 'scripted', url: model.url },
  });
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  editor = await Editor.open(gallery.bench.api.origin);
});

beforeEach(() => {
  mailbox.messages.length = 0;
  // A moment that an earlier example has a post for counts as scheduled already.
  const { store } = gallery.bench.sandbox;
  for (const { id, scheduledAt } of [...store.postsOf(1)])
    if (scheduledAt !== undefined && scheduledAt > '2030') store.removePost(1, id);
  for (const agent of gallery.bench.sandbox.store.agentsOf(1)) agent.isActive = true;
});

afterAll(async () => {
  await editor?.close();
  await feed?.close();
  await model?.close();
  await mailbox?.close();
  await gallery?.close();
  if (folder) await rm(folder, { recursive: true });
});

const postsMade = () =>
  gallery.bench.sandbox.requests.filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/posts'),
  ).length;

const chatWasTold = () => expect(gallery.chat.messages).toHaveLength(1);
const postWasMade = () => expect(postsMade()).toBe(1);

/** What an example shows when its button is clicked. */
interface Click {
  /** The trigger to select first, in the list beside the button. Otherwise the one that n8n selects. */
  from?: string;
  /** What a model calls the tool with. */
  input?: Record<string, unknown>;
  /** What the rows say where another service would be asked for them. */
  rows?: IPinData;
  /** A node that would ask another service after a wait: n8n then forgets what its output is pinned to. */
  disabled?: string;
  /** What the person then does: the page is the form that n8n opens. */
  then?(form: Page): Promise<void>;
  /** What a person does while the run goes on, where n8n opens no form. */
  meanwhile?(): Promise<void>;
  result(run: Execution): unknown;
}

const onForm =
  (button: string, fields: Record<string, string>) =>
  async (form: Page): Promise<void> =>
    void (await fillInForm(form, fields, button));

/** The number by which Google Sheets keeps Wednesday of next week, at nine. */
const nextWednesday = (): number =>
  DateTime.now()
    .setZone('Europe/Berlin')
    .startOf('week')
    .plus({ weeks: 1, days: 2, hours: 9 })
    .setZone('utc', { keepLocalTime: true })
    .diff(DateTime.utc(1899, 12, 30), 'days').days;

const sheetRow = { Accounts: 'linkedin', Picture: '', 'Post ID': '', Result: '' };

const CLICKS: Record<string, Click[]> = {
  'act-on-a-disconnected-account': [{ result: chatWasTold }],
  'analytics-after-publishing': [
    { result: (run) => expect(outputOf(run, 'Read analytics')).toHaveLength(1) },
  ],
  'approve-before-it-goes-out': [
    {
      async then(form) {
        const fields = {
          Text: 'Fresh bread!',
          Accounts: 'IG, LinkedIn',
          Date: '2030-05-01',
          Time: '8:00',
          'Your email address': 'author@example.com',
        };
        await fillInForm(form, fields, 'Ask for approval');
        await decide(form, await nextMessage(mailbox), true);
      },
      result: postWasMade,
    },
  ],
  'daily-analytics-digest': [{ result: chatWasTold }],
  'draft-posts-from-a-feed': [
    { input: { text: 'Rye!', scheduled_at: '2030-05-02T09:00:00Z' }, result: postWasMade },
  ],
  'drop-duplicate-events': [{ result: chatWasTold }],
  'drop-duplicate-events-under-load': [
    { result: chatWasTold },
    {
      from: 'Every night',
      result: (run) => expect(outputOf(run, 'Forget what is old')).toEqual([]),
    },
  ],
  'pause-agents-on-error': [{ result: chatWasTold }],
  'links-with-utm': [
    {
      result() {
        postWasMade();
        const [{ body }] = gallery.bench.sandbox.requests.slice(-1) as unknown as [
          { body: Buffer },
        ];
        for (const source of ['linkedin', 'x'])
          expect(body.toString()).toContain(
            `/bread?utm_source=${source}&utm_medium=social&utm_campaign=autumn`,
          );
      },
    },
  ],
  'plan-a-month-from-a-file': [
    {
      async then(form) {
        const page = await fillInForm(form, {}, 'Look at the plan', () =>
          form.locator('input[type=file]').setInputFiles({
            name: 'plan.csv',
            mimeType: 'text/csv',
            buffer: Buffer.from('Date,Time,Accounts,Text\n2030-05-01,9:00,linkedin,Fresh bread!'),
          }),
        );
        expect(page).toContain('Wed 1 May 2030, 09:00');
        await form.getByRole('button', { name: 'Create the posts' }).click();
        await form.locator('.header h1').waitFor();
        expect(await nextPage(form)).toContain('1 of 1 rows are scheduled');
      },
      result: postWasMade,
    },
  ],
  'post-pictures-from-a-form': [
    {
      async then(form) {
        await fillInForm(form, { Text: 'A picture' }, 'Post', async () => {
          await form.locator('input[type=file]').setInputFiles({
            name: 'crust.png',
            mimeType: 'image/png',
            buffer: Buffer.from('picture of the crust'),
          });
          await form.getByText('instagram', { exact: true }).click();
        });
      },
      result: postWasMade,
    },
  ],
  'repeat-what-works': [
    {
      then: onForm('Add', { Text: 'We bake from four.', Accounts: 'linkedin' }),
      result: (run) => expect(outputOf(run, 'Add a row')).toHaveLength(1),
    },
    { from: 'Every Monday', result: postWasMade },
  ],
  'review-what-an-ai-agent-posts': [
    {
      input: { toolParameters: { text: 'Rye!' }, hitlParameters: {} },
      async then(form) {
        await fillInForm(form, { Topic: 'Rye is back' }, 'Draft a post');
        await decide(form, await nextMessage(mailbox), true);
      },
      result: postWasMade,
    },
  ],
  'schedule-a-post': [{ result: postWasMade }],
  'schedule-posts-from-a-table': [
    {
      then: onForm('Plan', {
        Date: '2030-06-01',
        Time: '9:00',
        Accounts: 'linkedin',
        Text: 'From the table',
      }),
      result: (run) => expect(outputOf(run, 'Add a row')).toHaveLength(1),
    },
    { from: 'Every hour', result: postWasMade },
  ],
  'schedule-posts-from-airtable': [
    {
      rows: { 'Read the records that are ready': airtableRecords, 'Write down the result': [] },
      result: () => expect(postsMade()).toBe(2),
    },
  ],
  'schedule-posts-from-google-sheets': [
    {
      rows: { 'Read the sheet': sheetRows, 'Write down the result': [] },
      result: () => expect(postsMade()).toBe(4),
    },
  ],
  'send-next-weeks-posts-for-approval': [
    {
      rows: {
        'Read the sheet': [
          { json: { ...sheetRow, row_number: 2, 'Publish at': nextWednesday(), Text: 'Rye <b>' } },
          { json: { ...sheetRow, row_number: 3, 'Publish at': 'Wednesday', Text: 'No date' } },
          {
            json: { ...sheetRow, row_number: 4, 'Publish at': nextWednesday() + 7, Text: 'Later' },
          },
          {
            json: {
              ...sheetRow,
              row_number: 5,
              'Publish at': nextWednesday(),
              Result: 'Scheduled',
            },
          },
        ],
      },
      disabled: 'Write down the result',
      async meanwhile() {
        const message = await nextMessage(mailbox);
        expect(message).toContain('Rye &#60;b&#62;');
        expect(message).toMatch(/No date.*Not created\. The date is "Wednesday"/s);
        expect(message).not.toContain('Later');
        const page = await editor.page.context().browser()!.newPage();
        await page.setContent(message.slice(message.indexOf('<!DOCTYPE')));
        await keepPicture('next-week-mail', await page.screenshot());
        await decide(page, message, true);
        await page.close();
      },
      result(run) {
        postWasMade();
        const rows = outputOf(run, 'Schedule the posts').map(({ json }) => json['row_number']);
        expect(rows).toEqual([2, 3]);
      },
    },
  ],
  'sort-the-inbox': [{ result: chatWasTold }],
  'tell-chat-about-failed-posts': [{ result: chatWasTold }],
  'the-row-knows-how-it-ended': [
    {
      result: (run) =>
        expect(outputOf(run, 'See how it ended')).toMatchObject([
          { json: { instagram: 'https://instagram.example/p/instagram-00000097' } },
        ]),
    },
  ],
  'the-row-knows-how-it-ended-in-google-sheets': [
    {
      rows: { 'Write it into the row': [] },
      result: (run) =>
        expect(outputOf(run, 'See how it ended')).toMatchObject([
          { json: { 'Post ID': 42, instagram: expect.stringContaining('https') as string } },
        ]),
    },
  ],
  'watch-for-missing-posts': [
    { result: (run) => expect(outputOf(run, 'Write down the result')).toHaveLength(1) },
    { from: 'Every hour', result: () => expect(gallery.chat.messages).toEqual([]) },
  ],
};

test('each example is clicked', () => {
  expect(Object.keys(CLICKS).sort()).toEqual(exampleNames().sort());
});

/** Imports a file into a new workflow, by the editor's menu. */
async function importFile(path: string): Promise<void> {
  const { page } = editor;
  await page.goto(`${editor.origin}/workflow/new`);
  await page.getByTestId('workflow-menu').click();
  await page.getByTestId('workflow-menu-item-import').hover();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'From file' }).click();
  await (await chooser).setFiles(path);
  await page.getByTestId('canvas-node').first().waitFor();
}

/** Clicks the main button and, if n8n opens a form, does what a person does with it. */
async function click(one: Click): Promise<void> {
  const { page } = editor;
  const { from } = one;
  if (from) {
    await page.getByLabel('Select trigger node').click();
    await page.getByRole('menuitem', { name: `from ${from}` }).click();
  }
  const form = one.then && page.waitForEvent('popup');
  await page.getByTestId('execute-workflow-button').click();
  await one.meanwhile?.();
  const opened = await form;
  if (!opened) return;
  await one.then?.(opened);
  await opened.close();
}

/** The latest run of the open workflow, when it has ended. */
async function latestRun(runs: number): Promise<Execution> {
  const { api } = gallery.bench;
  return await waitFor('The workflow was not run', async () => {
    const id = /workflow\/([^/?]+)/.exec(editor.page.url())?.[1];
    if (!id || id === 'new') return undefined;
    const { results } = await api.executions(id, 10);
    return results.length > runs && results[0]
      ? await api.finishedExecution(results[0].id)
      : undefined;
  });
}

test.each(Object.entries(CLICKS))('%s runs by the main button', async (name, clicks) => {
  const file = await gallery.fillIn(name);
  for (const node of file.nodes) {
    // What a node remembers goes with its ID.
    node.id = randomUUID();
    if (node.name === 'Read the feed') node.parameters['url'] = feed.url;
    if (clicks.some(({ disabled }) => disabled === node.name)) node.disabled = true;
  }
  const rows = Object.assign({}, ...clicks.map((one) => one.rows ?? {})) as IPinData;
  const path = join(folder, `${name}.json`);
  await writeFile(path, JSON.stringify({ ...file, pinData: { ...file.pinData, ...rows } }));
  await importFile(path);

  for (const [runs, one] of clicks.entries()) {
    gallery.bench.sandbox.clearRequests();
    gallery.chat.messages.length = 0;
    model.follow({ tool: 'Schedule_a_post', input: one.input ?? {} }, { says: 'It is scheduled.' });
    await click(one);
    const run = await latestRun(runs);
    expect([one.from, run.status, run.data.resultData.error?.message]).toEqual([
      one.from,
      'success',
      undefined,
    ]);
    one.result(run);
  }
});

test('of two credentials, n8n selects the one that was saved last, whatever its name', async () => {
  const { bench } = gallery;
  const save = (name: string) =>
    bench.api.saveCredential({
      name,
      type: 'socialPublishingApi',
      data: { baseUrl: bench.sandbox.baseUrl, apiKey: bench.apiKey, workspaceId: '1' },
    });
  const path = join(folder, 'credentials.json');
  await writeFile(path, JSON.stringify(await gallery.fillIn('daily-analytics-digest')));
  const other = await save('Another account');
  try {
    for (const name of ['Social Publishing account', 'Another account']) {
      await save(name);
      await importFile(path);
      await editor.openNode('Read the last seven days');
      const field = editor.page.getByTestId('node-credentials-select').locator('input');
      await comesTo(() => field.inputValue(), name);
    }
  } finally {
    await bench.api.deleteCredential(other);
  }
});

test('nothing went wrong in the browser', () => {
  expect(editor.errors).toEqual([]);
});
