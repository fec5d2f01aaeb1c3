import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';

import { outputOf } from '../../../scripts/n8n/rest';
import { listen } from '../../support/server';
import { Editor } from '../support/editor';
import { openFeed } from './feed';
import { fillInForm, submitForm } from './form';
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

  const draft = async (different: Record<string, string> = {}): Promise<void> => {
    const fields = {
      Text: 'Fresh bread from eight!',
      Accounts: 'Instagram, LinkedIn',
      Date: '2030-05-01',
      Time: '8:00',
      'Your email address': 'author@example.com',
      ...different,
    };
    const page = await submitForm(editor.page, formOf(example), fields, 'Ask for approval');
    expect(page).toContain('The draft is on its way to be approved.');
  };

  const ended = async () => expect((await example.nextRuns(1))[0]?.status).toBe('success');

  test('the editor sees what each account gets, and an approved draft becomes a post', async () => {
    await draft();
    const message = await nextMessage(mailbox);

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

  test('what cannot be scheduled asks nobody, and the author is told why', async () => {
    await draft({ Accounts: 'nobody' });

    await ended();

    const told = await nextMessage(mailbox);
    expect(told).toMatch(/^To: author@example\.com/m);
    expect(told).toContain('"nobody"');
    expect(mailbox.messages).toEqual([]);
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
    await fillInForm(page, { Text: 'Two pictures' }, 'Post', async () => {
      await page.locator('input[type=file]').setInputFiles(pictures);
      await page.getByText('instagram', { exact: true }).click();
    });
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
