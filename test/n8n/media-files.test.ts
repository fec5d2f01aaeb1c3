import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import { z } from 'zod';

import { workDir } from '../../scripts/n8n/paths';
import type { Execution, N8nApi, WorkflowFile } from '../../scripts/n8n/rest';
import { waitFor } from '../../scripts/n8n/wait-for';
import { listen, type TestServer } from '../support/server';
import { Bench } from './support/bench';
import { Editor } from './support/editor';
import { startFreshN8n } from './support/fresh';
import { node, serviceNode } from './support/nodes';
import { isSince } from './support/version';

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

const core = (name: string, type: string, more: Partial<INode> = {}): INode =>
  node(name, `n8n-nodes-base.${type}`, more);

/** Posts the file in a binary field after other nodes, each of which hands on to the next. */
function posting(
  before: INode[],
  post: INode,
): Pick<WorkflowFile, 'id' | 'name' | 'nodes' | 'connections'> {
  const nodes = [...before, post];
  const connections = Object.fromEntries(
    before.map(({ name }, index) => [
      name,
      { main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main' as const, index: 0 }]] },
    ]),
  );
  return { id: randomUUID(), name: `Files ${randomUUID()}`, nodes, connections };
}

const post = (field: string): INodeParameters => ({
  resource: 'post',
  operation: 'create',
  content: 'A picture',
  mediaFields: field,
  accounts: [1],
  publish: 'after',
});

/** Publishes a workflow that posts the file in a binary field. */
async function publish(
  before: INode[],
  field: string,
  settings: IWorkflowSettings = {},
): Promise<WorkflowFile> {
  const workflow = { ...posting(before, serviceNode(bench, 'Post', post(field))), settings };
  await bench.api.saveWorkflow(workflow, {});
  await bench.api.publishWorkflow(workflow.id);
  return workflow;
}

const webhook = () =>
  core('Webhook', 'webhook', {
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
  // n8n may close an idle connection just when it is used again.
  const response = await fetch(url, { headers: { connection: 'close' } });
  // n8n may delete the file while it sends it.
  const bytes = await response.arrayBuffer().then(
    (body) => Buffer.from(body),
    () => undefined,
  );
  if (bytes === undefined) return 'a part of a file';
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
  const form = core('Form', 'formTrigger', {
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
  const download = core('Download', 'httpRequest', {
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

describe('a file is refused before anything is sent', () => {
  /** What a user is told whose service is on the internet, as the message and what to do next. */
  async function refusal(api: N8nApi): Promise<string> {
    const credentialId = await api.saveCredential({
      name: 'Far away',
      type: 'socialPublishingApi',
      data: { baseUrl: 'https://service.example/api/v1', apiKey: randomUUID(), workspaceId: '1' },
    });
    const start = core('Start', 'manualTrigger');
    const file = core('File', 'convertToFile', {
      typeVersion: 1.1,
      parameters: { operation: 'toText', sourceProperty: 'text', options: {} },
    });
    const workflow = posting([start, file], serviceNode({ credentialId }, 'Post', post('data')));
    const pinData = { Start: [{ json: { text: 'Hello' } }] };
    await api.saveWorkflow({ ...workflow, pinData }, {});
    const { data } = await api.runWorkflow(workflow.id, 'Start');
    const { message, description } = data.resultData.error ?? {};
    rows.push(`${message} | ${description}`);
    return `${message}\n${description}`;
  }

  async function refusalOf(environment: Record<string, string>): Promise<string> {
    const n8n = await startFreshN8n(join(workDir(), 'media-files'), environment);
    try {
      return await refusal(n8n.api);
    } finally {
      await n8n.stop();
    }
  }

  test('where the address of n8n is local', async () => {
    const told = await refusal(bench.api);
    expect(told).toMatch(
      /^Media Files cannot be used, because the service cannot reach this n8n at http:\/\/127\.0\.0\.1:\d+ \[item 0\]\n/,
    );
    expect(told).toContain('Set WEBHOOK_URL to the public https address of n8n and restart it.');
    expect(told).toContain('enter its address in Media URLs');
  });

  test('where the address of n8n is not https', async () => {
    const told = await refusalOf({ WEBHOOK_URL: 'http://n8n.example' });
    expect(told).toMatch(
      /^Media Files cannot be used, because the address of this n8n, http:\/\/n8n\.example, is not https \[item 0\]\n/,
    );
    expect(told).toContain('Set WEBHOOK_URL to the public https address of n8n and restart it.');
  });

  test('where n8n keeps files in memory, as it does by default before 2.0', async () => {
    const told = await refusalOf({
      ...(isSince('2.0') ? { N8N_DEFAULT_BINARY_DATA_MODE: 'default' } : {}),
      WEBHOOK_URL: 'https://n8n.example',
    });
    expect(told).toMatch(
      /^Media Files cannot be used, because this n8n keeps files in memory \[item 0\]\n/,
    );
    expect(told).toContain(
      'Set N8N_DEFAULT_BINARY_DATA_MODE to filesystem for n8n and restart it.',
    );
  });
});
