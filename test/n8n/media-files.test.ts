import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import { z } from 'zod';

import { type Execution, type WorkflowFile } from '../../scripts/n8n/rest';
import { waitFor } from '../../scripts/n8n/wait-for';
import { listen, type TestServer } from '../support/server';
import { actionNode, Bench } from './support/bench';
import { Editor } from './support/editor';

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let bench: Bench;
let pictures: TestServer;
const rows: string[] = [];

beforeAll(async () => {
  bench = await Bench.open();
  pictures = await listen((_request, response) => {
    response.setHeader('content-type', 'image/png');
    response.end(PNG);
  });
});

beforeEach(() => bench.sandbox.clearRequests());

afterAll(async () => {
  console.log(['Where the file came from | execution | what its URL serves', ...rows].join('\n'));
  await pictures?.close();
  await bench.close();
});

const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
  id: randomUUID(),
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  ...more,
});

/** Publishes a workflow that posts the file in a binary field. */
async function publish(
  before: INode[],
  field: string,
  settings: IWorkflowSettings = {},
): Promise<WorkflowFile> {
  const parameters: INodeParameters = {
    resource: 'post',
    operation: 'create',
    content: 'A picture',
    mediaFields: field,
    accounts: [1],
    publish: 'after',
  };
  const post = node('Post', '', {
    type: actionNode,
    parameters,
    credentials: { socialPublishingApi: { id: bench.credentialId, name: 'Service' } },
  });
  const nodes = [...before, post];
  const connections = Object.fromEntries(
    before.map(({ name }, index) => [
      name,
      { main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main' as const, index: 0 }]] },
    ]),
  );
  const workflow = { id: randomUUID(), name: `Files ${field}`, nodes, connections, settings };
  await bench.api.saveWorkflow(workflow, {});
  await bench.api.publishWorkflow(workflow.id);
  return workflow;
}

const webhook = () =>
  node('Webhook', 'webhook', {
    typeVersion: 2,
    webhookId: randomUUID(),
    parameters: { httpMethod: 'POST', path: randomUUID(), options: {} },
  });

/** Sends a picture to the webhook of a workflow, once that listens. */
async function send({ nodes }: WorkflowFile): Promise<void> {
  const { path } = z.object({ path: z.string() }).parse(nodes[0]?.parameters);
  const url = `${bench.api.origin}/webhook/${path}`;
  await bench.api.listening(url);
  const form = new FormData();
  form.set('data', new Blob([new Uint8Array(PNG)], { type: 'image/png' }), 'pixel.png');
  const response = await fetch(url, { method: 'POST', body: form });
  expect(response.status).toBe(200);
}

const endOf = async ({ id }: WorkflowFile): Promise<Execution | undefined> =>
  await waitFor('The workflow did not run', async () => {
    const [run] = (await bench.api.executions(id, 1)).results;
    return run === undefined ? undefined : await bench.api.finishedExecution(run.id);
  });

/** The URL that the service received. */
async function sentUrl(): Promise<string> {
  return await waitFor('The service received no URL', () => {
    const body = bench.sandbox.requests.find(({ method }) => method === 'POST')?.body.toString();
    return body === undefined ? undefined : /"mediaUrls":\["([^"]+)"\]/.exec(body)?.[1];
  });
}

/** What a URL serves: the picture, or the status. */
async function served(url: string): Promise<string> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.ok && bytes.equals(PNG) ? 'the picture' : `status ${response.status}`;
}

async function noted(source: string, execution: string, url: string): Promise<string> {
  const what = await served(url);
  rows.push(`${source} | ${execution} | ${what}`);
  return what;
}

test('a picture from a webhook is served after the run has ended', async () => {
  const workflow = await publish([webhook()], 'data');
  await send(workflow);
  expect((await endOf(workflow))?.status).toBe('success');
  const url = await sentUrl();
  expect(url).toMatch(/\/rest\/binary-data\/signed\?token=[\w.-]+$/);
  expect(await noted('webhook', 'kept', url)).toBe('the picture');
});

test("a picture from a form's file field is served after the run has ended", async () => {
  const form = node('Form', 'formTrigger', {
    typeVersion: 2.2,
    webhookId: randomUUID(),
    parameters: {
      formTitle: 'Picture',
      formFields: { values: [{ fieldLabel: 'Photo', fieldType: 'file', multipleFiles: false }] },
      options: { appendAttribution: false },
    },
  });
  const workflow = await publish([form], 'Photo');
  const editor = await Editor.open(bench.api.origin);
  try {
    await editor.page.goto(`${bench.api.origin}/form/${form.webhookId}`);
    const submit = editor.page.getByRole('button', { name: 'Submit' });
    const allow = editor.page.getByRole('button', { name: 'Allow access' });
    await submit.or(allow).waitFor();
    if (await allow.isVisible()) await allow.click();
    await editor.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: PNG });
    await submit.click();
    await editor.page.locator('#submitted-form').waitFor();
  } finally {
    await editor.close();
  }
  expect((await endOf(workflow))?.status).toBe('success');
  expect(await noted('form', 'kept', await sentUrl())).toBe('the picture');
});

test('a picture from an HTTP request is served after the run has ended', async () => {
  const download = node('Download', 'httpRequest', {
    typeVersion: 4.2,
    parameters: {
      url: `${pictures.origin}/pixel.png`,
      options: { response: { response: { responseFormat: 'file' } } },
    },
  });
  const workflow = await publish([webhook(), download], 'data');
  await send(workflow);
  expect((await endOf(workflow))?.status).toBe('success');
  expect(await noted('HTTP request', 'kept', await sentUrl())).toBe('the picture');
});

test('of a run that is not saved, the picture is gone when n8n cleans up', async () => {
  const workflow = await publish([webhook()], 'data', { saveDataSuccessExecution: 'none' });
  await send(workflow);
  const url = await sentUrl();
  await waitFor(
    'The picture stayed',
    async () => ((await served(url)) === 'the picture' ? undefined : true),
    180,
  );
  expect(await noted('webhook', 'not saved', url)).toMatch(/^status 4/);
});

test('of a run that was deleted, the picture is gone', async () => {
  const workflow = await publish([webhook()], 'data');
  await send(workflow);
  const execution = await endOf(workflow);
  const url = await sentUrl();
  await bench.api.deleteExecutions([execution?.id ?? '']);
  await waitFor('The picture stayed', async () =>
    (await served(url)) === 'the picture' ? undefined : true,
  );
  expect(await noted('webhook', 'deleted', url)).toMatch(/^status 4/);
});
