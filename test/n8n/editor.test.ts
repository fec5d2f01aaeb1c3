import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';

import { waitFor } from '../../scripts/n8n/wait-for';
import { actionNode, Bench, triggerNode } from './support/bench';
import { Editor } from './support/editor';

let bench: Bench;
let editor: Editor;
let webhookCredentialId: string;

beforeAll(async () => {
  bench = await Bench.open();
  webhookCredentialId = await bench.api.saveCredential({
    name: `Endpoint ${randomUUID()}`,
    type: 'socialPublishingWebhookApi',
    data: { webhookSecret: randomUUID() },
  });
  editor = await Editor.open(bench.api.origin);
});

afterAll(async () => {
  await editor?.close();
  await bench.close();
});

/** Opens the panel of a node in a workflow of its own. */
async function openPanel(type: string, parameters: INodeParameters): Promise<void> {
  const node: INode = {
    id: randomUUID(),
    webhookId: randomUUID(),
    name: 'Under test',
    type,
    typeVersion: 1,
    position: [0, 0],
    parameters,
    credentials:
      type === triggerNode
        ? { socialPublishingWebhookApi: { id: webhookCredentialId, name: 'Endpoint' } }
        : { socialPublishingApi: { id: bench.credentialId, name: 'Service' } },
  };
  const id = randomUUID();
  await bench.api.saveWorkflow({ id, name: `Editor ${id}`, nodes: [node], connections: {} }, {});
  await editor.openWorkflow(id);
  await editor.openNode(node.name);
}

describe('the node panel', () => {
  const id = randomUUID();

  beforeAll(async () => {
    const start: INode = {
      id: randomUUID(),
      name: 'Start',
      type: 'n8n-nodes-base.manualTrigger',
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    };
    await bench.api.saveWorkflow({ id, name: `Empty ${id}`, nodes: [start], connections: {} }, {});
  });

  test('finds the package with one entry for all actions and triggers', async () => {
    const { page } = editor;
    await editor.openWorkflow(id);
    await page.getByTestId('node-creator-plus-button').click();
    await page.getByTestId('node-creator-search-bar').fill('social publishing');
    await page
      .getByTestId('node-creator-item-name')
      .getByText('Social Publishing', { exact: true })
      .click();
    for (const action of [
      'Get many accounts',
      'Create or update an agent',
      'Get many agents',
      'Get analytics',
      'Create a post',
      'Get many posts',
    ]) {
      await page.getByText(action, { exact: true }).waitFor();
    }
    await editor.screenshot('node-panel');
  });

  test('gives a trigger for which nothing looks at a body before it is verified', async () => {
    const { page } = editor;
    await page.getByText('Triggers (6)').click();
    await page.getByText('On post published', { exact: true }).click();
    await page.getByTestId('node-parameters').waitFor();
    await editor.screenshot('new-trigger');

    const trigger = await waitFor('The editor did not save the trigger', async () =>
      (await bench.api.nodesOf(id)).find(({ type }) => type === triggerNode),
    );

    expect(trigger).toMatchObject({
      typeVersion: 1,
      parameters: { events: ['post.published'], options: { binaryData: true } },
    });
  });
});

describe('the fields of each operation are there', () => {
  beforeAll(() => openPanel(actionNode, {}));

  test.each([
    ['Account', 'Get Many', ['Workspace ID', 'Return All', 'Limit', 'Options']],
    [
      'Agent',
      'Create or Update',
      [
        'Workspace ID',
        'Name',
        'Type',
        'Schedule',
        'Active',
        'Config',
        'Additional Fields',
        'Options',
      ],
    ],
    ['Agent', 'Get Many', ['Workspace ID', 'Return All', 'Limit', 'Options']],
    ['Analytics', 'Get', ['Workspace ID', 'Period', 'Options']],
    [
      'Post',
      'Create',
      [
        'Workspace ID',
        'Status',
        'Scheduled At',
        'Variants Input',
        'Variants',
        'Social Account',
        'Content',
        'Media URLs',
        'Additional Fields',
        'Options',
      ],
    ],
    ['Post', 'Get Many', ['Workspace ID', 'Return All', 'Limit', 'Options']],
  ])('%s, %s', async (resource, operation, fields) => {
    await editor.choose('resource', resource);
    await editor.choose('operation', operation);
    expect(await editor.labels()).toEqual(['Credential', 'Resource', 'Operation', ...fields]);
    await editor.screenshot(`${resource} ${operation}`.toLowerCase().replaceAll(' ', '-'));
  });
});

test('an account is picked from the list of the service, and the post is created', async () => {
  const inAWeek = new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString();
  await openPanel(actionNode, {
    resource: 'post',
    operation: 'create',
    scheduledAt: inAWeek,
    variants: {
      variant: [{ socialAccountId: { __rl: true, mode: 'list', value: '' }, content: 'Picked' }],
    },
  });
  const { page } = editor;
  await page.getByTestId('rlc-input').click();
  await page.getByTestId('rlc-item').filter({ hasText: 'linkedin' }).click();
  await editor.screenshot('picked');
  bench.sandbox.clearRequests();
  await page.getByTestId('node-execute-button').click();
  await page.getByText('Node executed successfully').waitFor();
  await editor.screenshot('executed');
  expect(bench.onlyRequest().body).toMatchObject({
    variants: [{ socialAccountId: 3, content: 'Picked' }],
  });
});

test('the trigger says what to copy where', async () => {
  await openPanel(triggerNode, { events: ['post.published'] });
  expect(await editor.labels()).toEqual(['Credential', 'Events', 'Output per Event', 'Options']);
  await editor.page
    .getByText(/into the service's dashboard under Settings, Webhooks/)
    .first()
    .waitFor();
  await editor.screenshot('trigger');
});

test('an error is shown with what to do', async () => {
  await openPanel(actionNode, {
    resource: 'post',
    operation: 'create',
    scheduledAt: '',
    variants: {
      variant: [{ socialAccountId: { __rl: true, mode: 'id', value: '1' }, content: 'Too early' }],
    },
  });
  const { page } = editor;
  await page.getByTestId('node-execute-button').click();
  await page
    .getByTestId('node-error-message')
    .getByText('Scheduled At is empty [item 0]')
    .waitFor();
  await page.getByText('Enter when to publish').first().waitFor();
  await editor.screenshot('error');
});

test('nothing went wrong in the browser', () => {
  expect(editor.errors).toEqual([]);
});
