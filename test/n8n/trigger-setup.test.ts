import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { type Sandbox, startSandbox } from '../../sandbox';
import type { N8nInstance } from '../../scripts/n8n/instance';
import { workDir } from '../../scripts/n8n/paths';
import { Editor } from './support/editor';
import { startFreshN8n } from './support/fresh';
import { saveEndpoint, TRIGGER, TriggeredWorkflow } from './trigger/workflows';

let n8n: N8nInstance;
let sandbox: Sandbox;
let editor: Editor;

beforeAll(async () => {
  n8n = await startFreshN8n(join(workDir(), 'trigger-setup'));
  sandbox = await startSandbox();
  editor = await Editor.open(n8n.origin);
});

afterAll(async () => {
  await editor?.close();
  await sandbox?.close();
  await n8n?.stop();
});

/** What a person does with the mouse and the keyboard, counted. */
class Person {
  clicks = 0;
  readonly fields: string[] = [];

  async click(target: ReturnType<Page['getByText']>): Promise<void> {
    await target.click();
    this.clicks += 1;
  }

  async fill(name: string, field: ReturnType<Page['getByText']>, text: string): Promise<void> {
    await field.fill(text);
    this.fields.push(name);
  }
}

/** What the last "copy" button put into the clipboard. */
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

test('from an empty canvas to the first test event: at most 10 clicks and 2 fields', async () => {
  const { page } = editor;
  const person = new Person();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const dashboard = await editor.newPage();
  await dashboard.goto(sandbox.origin);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${n8n.origin}/workflow/new`);

  await page.bringToFront();
  await person.click(page.getByTestId('canvas-add-button'));
  // The search has the focus: one types the name of the node.
  await page.getByTestId('node-creator-search-bar').waitFor();
  await page.keyboard.type('social publishing');
  await person.click(page.getByText('Social Publishing', { exact: true }).first());
  await person.click(page.getByText('On post published'));
  await page.getByTestId('node-parameters').waitFor();
  await editor.screenshot('trigger-setup-1-panel');
  await person.click(page.getByTitle('Click to display webhook URLs'));
  await editor.screenshot('trigger-setup-2-urls');
  await person.click(page.getByText(/\/webhook-test\//));
  const testUrl = await clipboard(page);
  expect(testUrl).toContain('/webhook-test/');

  await dashboard.bringToFront();
  await person.fill('Address', dashboard.locator('#webhooks input[name=url]'), testUrl);
  await person.click(dashboard.getByRole('button', { name: 'Add endpoint' }));
  await person.click(dashboard.locator('button.copy').first());
  const secret = sandbox.store.webhookEndpoints.at(-1)?.secret ?? '';
  expect(secret).not.toBe('');

  await page.bringToFront();
  await person.click(page.getByText('Connect to Social Publishing Webhook'));
  const dialog = page.getByTestId('credential-edit-dialog');
  await dialog.waitFor();
  await person.fill('Webhook Secret', dialog.locator('input[type=password]').first(), secret);
  await editor.screenshot('trigger-setup-3-credential');
  await person.click(page.getByTestId('credential-save-button'));
  // n8n closes the dialog when it has saved the credential.
  await dialog.waitFor({ state: 'hidden' });
  await editor.screenshot('trigger-setup-4-saved');
  await person.click(page.getByRole('button', { name: 'Test this trigger' }));
  await page
    .getByText(/Waiting for an event|Listening for test event/)
    .first()
    .waitFor();
  await editor.screenshot('trigger-setup-5-listening');

  await sandbox.webhooks.emit('post.published', { postId: 42 });
  await page.getByText('deliveryId').first().waitFor();
  await editor.screenshot('trigger-setup-6-event');

  console.log(
    `${person.clicks} clicks, ${person.fields.length} fields: ${person.fields.join(', ')}`,
  );
  expect(person.clicks).toBeLessThanOrEqual(10);
  expect(person.fields).toEqual(['Address', 'Webhook Secret']);
});

test('whoever waits for a test event reads that one came, but was not signed with this secret', async () => {
  const { page } = editor;
  const credentialId = await saveEndpoint(n8n, 'whsec_of_another_endpoint', 'Another endpoint');
  const { file, testUrl } = await TriggeredWorkflow.save(n8n, credentialId, {
    events: ['post.published'],
  });
  await editor.openWorkflow(file.id);
  await editor.openNode(TRIGGER);
  await page.getByRole('button', { name: 'Test this trigger' }).click();
  await page
    .getByText(/Waiting for an event/)
    .first()
    .waitFor();

  const endpoint = sandbox.webhooks.add({ url: testUrl, secret: 'whsec_of_this_endpoint' });
  await sandbox.webhooks.emit('post.published', { postId: 42 });
  sandbox.webhooks.remove(endpoint.id);

  const message = page.getByTestId('node-error-message');
  await message.getByText('An event came, but it was not signed with this secret').waitFor();
  await editor.screenshot('trigger-wrong-secret');
});
