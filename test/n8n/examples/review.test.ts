import { outputOf } from '../../../scripts/n8n/rest';
import { Editor } from '../support/editor';
import { ModelServer } from '../support/model-server';
import { submitForm } from './form';
import { type Example, Gallery } from './gallery';
import { decide, type Mailbox, nextMessage, openMailbox, saveMailCredential } from './mailbox';

const DRAFT = 'Fresh rye, from eight o’clock.';

let gallery: Gallery;
let mailbox: Mailbox;
let model: ModelServer;
let editor: Editor;
let example: Example;

beforeAll(async () => {
  gallery = await Gallery.open();
  mailbox = await openMailbox();
  model = await ModelServer.start();
  await saveMailCredential(gallery.bench.api, mailbox);
  await gallery.bench.api.saveCredential({
    name: 'OpenAI account',
    type: 'openAiApi',
    data: { apiKey: 'scripted', url: model.url },
  });
  example = await gallery.publish('review-what-an-ai-agent-posts', (file) => {
    file.settings = { ...file.settings, timezone: 'Europe/Berlin' };
  });
  editor = await Editor.open(gallery.bench.api.origin);
});

beforeEach(() => gallery.bench.sandbox.clearRequests());

afterAll(async () => {
  await editor?.close();
  await model?.close();
  await mailbox?.close();
  await gallery?.close();
});

/** A call of the tool as n8n asks a model for it: what is for the tool, and what is for the review. */
const callTool = (text: string) => ({
  tool: 'Schedule_a_post',
  input: { toolParameters: { text }, hitlParameters: {} },
});

/** Enters a topic in the form. Returns the message to the one who reviews. */
async function askForPost(): Promise<string> {
  const form = example.workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
  const url = `${gallery.bench.api.origin}/form/${form?.webhookId}`;
  const page = await submitForm(editor.page, url, { Topic: 'Rye is back' }, 'Draft a post');
  expect(page).toContain('The agent is drafting.');
  return await nextMessage(mailbox);
}

const created = () =>
  gallery.bench.sandbox.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body.toString()) as { scheduledAt: string });

test('a person sees the draft, and what is approved goes into the next free slot', async () => {
  model.follow(callTool(DRAFT), { says: 'It is scheduled.' });

  const message = await askForPost();

  expect(message).toContain(DRAFT);
  expect(gallery.bench.sandbox.requests).toEqual([]);
  await decide(editor.page, message, true);
  const [run] = await example.nextRuns(1);
  expect(run?.status).toBe('success');
  expect(run && outputOf(run, 'Draft a post')[0]?.json['output']).toBe('It is scheduled.');
  const linkedIn = gallery.bench.sandbox.store
    .accountsOf(1)
    .find(({ platform }) => platform === 'linkedin');
  expect(created()).toMatchObject([
    { variants: [{ socialAccountId: linkedIn?.id, content: DRAFT }] },
  ]);
  const local = new Date(created()[0]?.scheduledAt ?? '').toLocaleString('en-GB', {
    timeZone: 'Europe/Berlin',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  expect(local).toMatch(/^(Mon|Tue|Wed|Thu|Fri).* (09:00|17:30)$/);
});

test('what is declined is not sent, and the model is told so', async () => {
  model.follow(callTool(DRAFT), { says: 'Nothing is scheduled.' });

  await decide(editor.page, await askForPost(), false);

  expect((await example.nextRuns(1))[0]?.status).toBe('success');
  expect(gallery.bench.sandbox.requests).toEqual([]);
  expect(model.answers.at(-1)).toMatch(/rejected/i);
});
