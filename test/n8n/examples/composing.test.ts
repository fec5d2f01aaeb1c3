import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';

import { outputOf } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { listen } from '../../support/server';
import { Editor } from '../support/editor';
import { submitForm } from './form';
import { type Example, Gallery } from './gallery';
import { type Mailbox, openMailbox } from './mailbox';

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

  beforeEach(async () => {
    mailbox = await openMailbox();
    await gallery.bench.api.saveCredential({
      name: 'SMTP account',
      type: 'smtp',
      data: {
        host: '127.0.0.1',
        port: mailbox.port,
        secure: false,
        disableStartTls: true,
        user: '',
        password: '',
      },
    });
  });

  afterEach(() => mailbox.close());

  test.each([
    ['approved', 1],
    ['declined', 0],
  ])('a draft that is %s becomes %i posts', async (decision, posts) => {
    const example = await gallery.publish('approve-before-it-goes-out', (file) => {
      file.settings = { ...file.settings, timezone: 'Europe/Berlin' };
    });
    const editor = await Editor.open(gallery.bench.api.origin);
    try {
      const fields = {
        Text: 'Fresh bread from eight!',
        Accounts: 'instagram, linkedin',
        'Publish at': '2030-05-01 08:00',
      };
      const page = await submitForm(editor.page, formOf(example), fields, 'Ask for approval');
      expect(page).toContain('The draft is on its way to be approved.');
    } finally {
      await editor.close();
    }

    const [message] = await waitFor('No email came', () =>
      mailbox.messages.length > 0 ? mailbox.messages : undefined,
    );
    expect(message).toContain('Fresh bread from eight!');
    expect(created()).toEqual([]);
    const links = [...(message ?? '').matchAll(/href="([^"]*approved=(true|false)[^"]*)"/g)];
    const link = links.find(([, , approved]) => approved === String(posts === 1))?.[1] ?? '';
    // The email may come before n8n has stored that the execution waits, which it tells as a conflict.
    const answer = await waitFor('The execution did not wait', async () => {
      const response = await fetch(link.replaceAll('&amp;', '&'), {
        headers: {
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
          connection: 'close',
        },
      });
      return response.status === 409 ? undefined : response;
    });
    expect([decision, answer.status]).toEqual([decision, 200]);

    expect((await example.nextRuns(1))[0]?.status).toBe('success');
    const { sandbox } = gallery.bench;
    const platformOf = (id: number) => sandbox.store.account(id)?.platform;
    const bodies = created() as Array<{ variants: Array<{ socialAccountId: number }> }>;
    expect(bodies).toHaveLength(posts);
    for (const body of bodies) {
      expect(body).toMatchObject({ scheduledAt: '2030-05-01T06:00:00.000Z' });
      const platforms = body.variants.map(({ socialAccountId }) => platformOf(socialAccountId));
      expect(new Set(platforms)).toEqual(new Set(['instagram', 'linkedin']));
    }
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
    const allow = page.getByRole('button', { name: 'Allow access' });
    const submit = page.getByRole('button', { name: 'Post' });
    await submit.or(allow).first().waitFor();
    if (await allow.isVisible()) await allow.click();
    await page.getByLabel('Text').fill('Two pictures');
    await page.locator('input[type=file]').setInputFiles(pictures);
    await page.getByText('instagram', { exact: true }).click();
    await submit.click();
    await page.locator('#submitted-form').waitFor();
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

test('draft posts from a feed: the agent drafts, the node schedules, and no article comes twice', async () => {
  const articles = ['Rye is back', 'Opening hours', 'Our new oven', 'Fourth'];
  const feed = await listen((_, response) => {
    const items = articles.map(
      (title) =>
        `<item><title>${title}</title><link>https://news.example/${encodeURIComponent(title)}</link><description>About: ${title}</description></item>`,
    );
    response.setHeader('content-type', 'application/rss+xml');
    response.end(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`,
    );
  });
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
        if (node.name === 'Read the feed') node.parameters['url'] = `${feed.origin}/rss.xml`;
      }
    });

    const run = await example.run('Every morning');

    expect(run.status).toBe('success');
    expect(outputOf(run, 'At most three')).toHaveLength(3);
    expect(Object.keys(asked[0]?.tools?.[0]?.function.parameters.properties ?? {}).sort()).toEqual([
      'media_urls',
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
