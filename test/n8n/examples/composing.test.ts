import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';

import { outputOf } from '../../../scripts/n8n/rest';
import { listen } from '../../support/server';
import { Editor } from '../support/editor';
import { openFeed } from './feed';
import { fillInForm, nextPage, submitForm } from './form';
import { type Example, Gallery } from './gallery';
import { decide, type Mailbox, nextMessage, openMailbox, saveMailCredential } from './mailbox';

let gallery: Gallery;

beforeEach(async () => {
  gallery = await Gallery.open();
});

afterEach(() => gallery.close());

/** The bodies of the requests that created a post. */
const created = () =>
  gallery.bench.sandbox.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body.toString()) as unknown);

const formOf = ({ workflow }: Example) => {
  const trigger = workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
  return `${gallery.bench.api.origin}/form/${trigger?.webhookId}`;
};

describe('approve before it goes out', () => {
  let mailbox: Mailbox;
  let editor: Editor;
  let example: Example;

  beforeEach(async () => {
    mailbox = await openMailbox();
    await saveMailCredential(gallery.bench.api, mailbox);
    example = await gallery.publish('approve-before-it-goes-out', (file) => {
      file.settings = { ...file.settings, timezone: 'Europe/Berlin' };
    });
    editor = await Editor.open(gallery.bench.api.origin);
  });

  afterEach(async () => {
    await editor.close();
    await mailbox.close();
  });

  /** Fills in the form. Returns the page that follows. */
  const draft = async (different: Record<string, string> = {}): Promise<string> => {
    const fields = {
      Text: 'Fresh bread from eight!',
      Accounts: 'Instagram, LinkedIn',
      Date: '2030-05-01',
      Time: '8:00',
      'Your email address': 'author@example.com',
      ...different,
    };
    return await submitForm(editor.page, formOf(example), fields, 'Ask for approval');
  };

  const ended = async () => expect((await example.nextRuns(1))[0]?.status).toBe('success');

  test('the editor sees what each account gets, and an approved draft becomes a post', async () => {
    const page = await draft();
    const message = await nextMessage(mailbox);

    expect(page).toContain('The draft is on its way to be approved');
    expect(page).toMatch(/It is for Wed 1 May 2030, 08:00 .* needs a picture/);
    expect(message).toMatch(/^To: editor@example\.com/m);
    expect(message).toMatch(/To be published: .*1 May 2030.*08:00.*Europe\/Berlin/);
    expect(message).toMatch(/Instagram: .*\(23 of 2,200 characters\):\s+Fresh bread from eight!/);
    expect(message).toMatch(/⚠️ .*picture/);
    expect(created()).toEqual([]);

    await decide(editor.page, message, true);
    await ended();

    const { sandbox } = gallery.bench;
    const platformOf = (id: number) => sandbox.store.account(id)?.platform;
    const bodies = created() as Array<{ variants: Array<{ socialAccountId: number }> }>;
    expect(bodies).toMatchObject([{ scheduledAt: '2030-05-01T06:00:00.000Z' }]);
    const platforms = bodies[0]?.variants.map(({ socialAccountId }) => platformOf(socialAccountId));
    expect(new Set(platforms)).toEqual(new Set(['instagram', 'linkedin']));
    const told = await nextMessage(mailbox);
    expect(told).toMatch(/^To: author@example\.com/m);
    expect(told).toContain(`scheduled as post ${sandbox.store.posts.at(-1)?.id}`);
  });

  test('a declined draft is not scheduled, and the author is told', async () => {
    await draft();

    await decide(editor.page, await nextMessage(mailbox), false);
    await ended();

    expect(created()).toEqual([]);
    expect(await nextMessage(mailbox)).toContain('declined');
  });

  test('what fails after the approval reaches the author', async () => {
    await draft();
    const message = await nextMessage(mailbox);
    gallery.bench.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 1 });

    await decide(editor.page, message, true);
    await ended();

    expect(await nextMessage(mailbox)).toMatch(/approved, but is not scheduled\. The reason: .+/);
  });

  test('what cannot be scheduled asks nobody, and the page says why', async () => {
    const page = await draft({ Accounts: 'nobody' });

    await ended();

    expect(page).toMatch(/Please correct the draft\s+One of the accounts is "nobody", /);
    expect(mailbox.messages).toEqual([]);
  });

  test('a picture is in the email and in the post', async () => {
    const picture = 'https://media.example/crust.jpg';
    const page = await draft({ Accounts: 'Instagram', Picture: picture });
    const message = await nextMessage(mailbox);

    expect(page).not.toContain('needs a picture');
    expect(message).toContain(picture);
    await decide(editor.page, message, true);
    await ended();
    expect(created()).toMatchObject([{ variants: [{ mediaUrls: [picture] }] }]);
  });
});

test('post pictures from a form: the service can fetch each picture', async () => {
  const example = await gallery.publish('post-pictures-from-a-form');
  const editor = await Editor.open(gallery.bench.api.origin);
  const pictures = ['crust', 'crumb'].map((name) => ({
    name: `${name}.png`,
    mimeType: 'image/png',
    buffer: Buffer.from(`picture of the ${name}`),
  }));
  try {
    const { page } = editor;
    await page.goto(formOf(example));
    const post = (text: string, platform: string) =>
      fillInForm(page, { Text: text }, 'Post', async () => {
        await page.locator('input[type=file]').setInputFiles(pictures);
        await page.getByText(platform, { exact: true }).click();
      });
    expect(await post('a'.repeat(300), 'x')).toMatch(/Not posted\s+The text is longer than/);
    expect((await example.nextRuns(1))[0]?.status).toBe('success');
    expect(created()).toEqual([]);
    await page.goto(formOf(example));
    expect(await post('Two pictures', 'instagram')).toMatch(/Scheduled\s+Post \d+ goes out on /);
  } finally {
    await editor.close();
  }

  expect((await example.nextRuns(1))[0]?.status).toBe('success');
  const [body] = created() as Array<{ variants: Array<{ content: string; mediaUrls: string[] }> }>;
  const variants = body?.variants ?? [];
  expect(variants.length).toBeGreaterThan(0);
  for (const { content, mediaUrls } of variants) {
    expect(content).toBe('Two pictures');
    const fetched = await Promise.all(
      mediaUrls.map(async (url) => (await fetch(url, { headers: { connection: 'close' } })).text()),
    );
    expect(fetched).toEqual(pictures.map(({ buffer }) => buffer.toString()));
  }
});

test('plan a month from a file: a person sees it first, and gets every row back', async () => {
  const example = await gallery.publish('plan-a-month-from-a-file', (file) => {
    file.settings = { ...file.settings, timezone: 'Europe/Berlin' };
  });
  const editor = await Editor.open(gallery.bench.api.origin);
  const { page } = editor;
  const rows = [
    'Date;Time;Accounts;Text;Picture;Who',
    '5.12.2030;9:00;linkedin;"Grüße; ein Brot 🥐";;Jörg',
    '05/06/2030;9:00;linkedin;Two ways;;',
    '6.12.2030;10 Uhr;IG + LI;<b>No picture</b>;;{{ 1 }}',
  ];
  const look = async (name: string, buffer: Buffer): Promise<string> => {
    await page.goto(formOf(example));
    return await fillInForm(page, {}, 'Look at the plan', () =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer }),
    );
  };
  try {
    const shown = await look('plan.csv', Buffer.from(rows.join('\r\n')));
    expect(shown).toMatch(/Thu 5 Dec 2030, 09:00.*Grüße; ein Brot 🥐/);
    expect(shown).toMatch(/Two ways\s+Not created\. The date is "05\/06\/2030/);
    expect(shown).toContain('<b>No picture</b>');
    expect(shown).toMatch(/Not created\. .*Instagram needs a picture/);
    expect(created()).toEqual([]);
    await editor.screenshot('plan-page');

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Create the posts' }).click();
    const file = await (await download).path();
    expect(await nextPage(page)).toContain('1 of 3 rows are scheduled');
    await editor.screenshot('plan-ending');

    const [run] = await example.nextRuns(1);
    const [post] = gallery.bench.sandbox.store.posts.slice(-1);
    const back = run && outputOf(run, 'Add two columns').map(({ json }) => json);
    const date = (Date: string, Time: string, Accounts: string) => ({ Date, Time, Accounts });
    expect(back).toEqual([
      {
        ...date('5.12.2030', '9:00', 'linkedin'),
        Text: 'Grüße; ein Brot 🥐',
        Picture: '',
        Who: 'Jörg',
        'Post ID': post?.id,
        Result: 'Scheduled for Thu 5 Dec 2030, 09:00 (Europe/Berlin).',
      },
      {
        ...date('05/06/2030', '9:00', 'linkedin'),
        Text: 'Two ways',
        Picture: '',
        Who: '',
        'Post ID': '',
        Result: expect.stringMatching(/^Not scheduled\. The date .*letters\.$/) as string,
      },
      {
        ...date('6.12.2030', '10 Uhr', 'IG + LI'),
        Text: '<b>No picture</b>',
        Picture: '',
        Who: '{{ 1 }}',
        'Post ID': '',
        Result: expect.stringContaining('needs a picture') as string,
      },
    ]);
    expect(created()).toHaveLength(1);

    const again = await look('plan-with-results.xlsx', await readFile(file));
    expect(again).toMatch(/Thu 5 Dec 2030, 09:00.*Grüße; ein Brot 🥐/);
  } finally {
    await editor.close();
  }
});

test('repeat what works: the one that was used least recently comes first', async () => {
  const example = await gallery.publish('repeat-what-works');
  const editor = await Editor.open(gallery.bench.api.origin);
  try {
    for (const Text of ['First', 'Second'])
      await submitForm(editor.page, formOf(example), { Text, Accounts: 'linkedin' }, 'Add');
  } finally {
    await editor.close();
  }
  await example.nextRuns(2);

  for (let turn = 0; turn < 3; turn += 1)
    expect((await example.run('Every Monday')).status).toBe('success');

  const texts = (created() as Array<{ variants: Array<{ content: string }> }>).map(
    ({ variants }) => variants[0]?.content,
  );
  expect([...texts.slice(0, 2)].sort()).toEqual(['First', 'Second']);
  expect(texts[2]).toBe(texts[0]);
  const times = (created() as Array<{ scheduledAt: string }>).map(({ scheduledAt }) => scheduledAt);
  expect(new Set(times).size).toBe(3);
});

test('draft posts from a feed: the agent drafts, the node schedules, and no article comes twice', async () => {
  const articles = ['Rye is back', 'Opening hours', 'Our new oven', 'Fourth'];
  const feed = await openFeed(...articles);
  interface ModelRequest {
    messages: Array<{ role: string; content: unknown }>;
    tools?: Array<{ function: { name: string; parameters: { properties: object } } }>;
  }
  const asked: ModelRequest[] = [];
  const model = await listen((request, response) => {
    void json(request).then((value) => {
      const body = value as ModelRequest;
      asked.push(body);
      const tool = body.tools?.[0]?.function;
      const isAnswered = body.messages.at(-1)?.role === 'tool';
      const article = /Title: (.*)/.exec(JSON.stringify(body.messages))?.[1]?.split('\\n')[0];
      const call = {
        id: randomUUID(),
        type: 'function',
        function: {
          name: tool?.name,
          arguments: JSON.stringify({
            text: `Read about it: ${article}`,
            scheduled_at: '2030-05-02T09:00:00Z',
          }),
        },
      };
      const message = isAnswered
        ? { role: 'assistant', content: 'Scheduled.' }
        : { role: 'assistant', content: null, tool_calls: [call] };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: randomUUID(),
          object: 'chat.completion',
          created: 0,
          model: 'scripted',
          choices: [{ index: 0, message, finish_reason: isAnswered ? 'stop' : 'tool_calls' }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      );
    });
  });
  try {
    await gallery.bench.api.saveCredential({
      name: 'OpenAI account',
      type: 'openAiApi',
      data: { apiKey: 'scripted', url: model.origin },
    });
    const example = await gallery.publish('draft-posts-from-a-feed', ({ nodes }) => {
      for (const node of nodes) {
        // What a node remembers goes with its ID.
        node.id = randomUUID();
        if (node.name === 'Read the feed') node.parameters['url'] = feed.url;
      }
    });

    const run = await example.run('Every morning');

    expect(run.status).toBe('success');
    expect(outputOf(run, 'At most three')).toHaveLength(3);
    expect(Object.keys(asked[0]?.tools?.[0]?.function.parameters.properties ?? {}).sort()).toEqual([
      'scheduled_at',
      'text',
    ]);
    const posts = created() as Array<{ scheduledAt: string; variants: Array<{ content: string }> }>;
    expect(posts.map(({ variants }) => variants[0]?.content).sort()).toEqual(
      articles
        .slice(0, 3)
        .map((title) => `Read about it: ${title}`)
        .sort(),
    );
    expect(new Set(posts.map(({ scheduledAt }) => scheduledAt))).toEqual(
      new Set(['2030-05-02T09:00:00.000Z']),
    );
    // For each post, one to find the account and one to create the post.
    expect(gallery.bench.sandbox.requests).toHaveLength(6);
    const again = await example.run('Every morning');
    expect(again.status).toBe('success');
    expect(created()).toHaveLength(3);
  } finally {
    await feed.close();
    await model.close();
  }
});
