import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Sandbox, startSandbox } from '../../sandbox';
import type { N8nInstance } from '../../scripts/n8n/instance';
import { repositoryDir, workDir } from '../../scripts/n8n/paths';
import { waitFor } from '../../scripts/n8n/wait-for';
import { Editor } from './support/editor';
import { startFreshN8n } from './support/fresh';

let n8n: N8nInstance;
let sandbox: Sandbox;
let editor: Editor;
let quickStart: string;

beforeAll(async () => {
  const readme = await readFile(join(repositoryDir, 'README.md'), 'utf8');
  quickStart =
    readme.split('## The first post\n')[1]?.split('\n## ')[0]?.replace(/\s+/g, ' ') ?? '';
  n8n = await startFreshN8n(join(workDir(), 'quick-start'));
  sandbox = await startSandbox();
  editor = await Editor.open(n8n.origin);
});

afterAll(async () => {
  await editor?.close();
  await sandbox?.close();
  await n8n?.stop();
});

/** A label of the editor that the quick start names. */
function named(label: string): string {
  expect(quickStart).toContain(`**${label}**`);
  return label;
}

const step = (text: string) => editor.page.getByText(named(text), { exact: true }).first();

/** Adds a node to an empty canvas by the words of the quick start. */
async function addNode(action: string): Promise<void> {
  const { page } = editor;
  await page.goto(`${n8n.origin}/workflow/new`);
  await page.getByTestId('canvas-add-button').click();
  await page.getByTestId('node-creator-search-bar').waitFor();
  await page.keyboard.type(named('Social Publishing'));
  await step('Social Publishing').click();
  const found = page.getByText(named(action), { exact: true });
  const actions = page.getByText(/^Actions \(\d+\)$/);
  await found.or(actions).first().waitFor();
  if (!(await found.first().isVisible())) await actions.click();
  await found.first().click();
  await page.getByTestId('node-parameters').waitFor();
}

/** Fills in the credential that the open panel asks for. */
async function connect(button: string, values: Record<string, string>): Promise<void> {
  const { page } = editor;
  await page.getByText(named(button), { exact: true }).first().click();
  const dialog = page.getByTestId('credential-edit-dialog');
  await dialog.waitFor();
  for (const [name, value] of Object.entries(values)) {
    await dialog.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
  }
  await page.getByTestId('credential-save-button').click();
  // n8n closes the dialog when it has saved the credential.
  await dialog.waitFor({ state: 'hidden' });
}

test('the quick start leads from an empty canvas to the first post and its event', async () => {
  const { page } = editor;
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');

  await addNode('Create a post');
  await connect('Connect to Social Publishing', {
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.pro,
    workspaceId: String(sandbox.workspaceId),
  });
  await page
    .getByTestId(`parameter-input-content`)
    .locator('textarea')
    .fill(`${named('Text')} of a post`);
  named('Accounts');
  const instagram = page.getByRole('option', { name: 'Instagram' });
  // n8n keeps the list closed while it loads.
  await waitFor('The list of accounts did not open', async () => {
    await page.getByTestId('parameter-input-accounts').click();
    await page.waitForTimeout(2_000);
    return (await instagram.isVisible()) ? true : undefined;
  });
  await instagram.click();
  await page.keyboard.press('Escape');
  named('Publish');
  await editor.choose('publish', named('After a Delay'));
  await page.getByTestId('node-execute-button').getByText(named('Execute step')).click();
  await page.getByText(/^Scheduled for .+, in 10 minutes$/).waitFor();
  const post = sandbox.store.posts.at(-1);
  expect(post?.variants.map(({ content }) => content)).toEqual(['Text of a post']);

  const dashboard = await editor.newPage();
  await dashboard.goto(sandbox.origin);
  await page.bringToFront();
  await addNode('On post published');
  named('Webhook URLs');
  await page.getByTitle('Click to display webhook URLs').click();
  named('Test URL');
  await page.getByText(/\/webhook-test\//).click();
  const testUrl = await clipboard();
  await editor.picture('trigger-panel', page.getByTestId('ndv'));
  await dashboard.bringToFront();
  await dashboard.locator('#webhooks input[name=url]').fill(testUrl);
  await dashboard.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = await dashboard.locator('button.copy').first().getAttribute('data-copy');
  await page.bringToFront();
  await connect('Connect to Social Publishing Webhook', {
    webhookSecret: secret ?? sandbox.store.webhookEndpoints.at(-1)?.secret ?? '',
  });
  await page.getByRole('button', { name: named('Test this trigger') }).click();
  await page
    .getByText(/Waiting for an event|Listening for test event/)
    .first()
    .waitFor();
  await dashboard.bringToFront();
  await editor.picture('dashboard', dashboard.locator('#webhooks'));
  const row = dashboard.locator('tr', { hasText: 'Text of a post' });
  await row.getByRole('button', { name: named('Publish now') }).click();
  await page.bringToFront();
  await page.getByText('deliveryId').first().waitFor();
  await page.getByText('Text of a post').first().waitFor();
});
