import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryDir } from '../../../scripts/n8n/paths';
import { readExample } from '../../../scripts/n8n/workflow-files';
import { Editor } from '../support/editor';
import { Gallery } from './gallery';

let gallery: Gallery;
let editor: Editor;
let names: string[];

beforeAll(async () => {
  gallery = await Gallery.open();
  editor = await Editor.open(gallery.bench.api.origin);
  await editor.page.setViewportSize({ width: 1440, height: 800 });
  const files = await readdir(join(repositoryDir, 'examples'));
  names = files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
});

afterAll(async () => {
  await editor?.close();
  await gallery?.close();
});

test('on the canvas, nothing of an example is marked as wrong', async () => {
  const { page } = editor;
  for (const name of names) {
    const file = await readExample(name);
    await gallery.bench.api.saveWorkflow(file, {});
    await editor.openWorkflow(file.id);
    await page
      .getByTestId('canvas-node')
      .nth(file.nodes.length - 1)
      .waitFor();
    await page.keyboard.press('1');
    await page.waitForTimeout(1_000);
    await editor.screenshot(`example-${name}`);
    expect([name, await page.getByTestId('node-issues').count()]).toEqual([name, 0]);
  }
});
