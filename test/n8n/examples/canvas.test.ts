import { isResourceLocatorValue } from 'n8n-workflow';

import type { WorkflowFile } from '../../../scripts/n8n/rest';
import { exampleNames, readExample } from '../../../scripts/n8n/workflow-files';
import { type Area, overlaps } from '../../support/areas';
import { Editor } from '../support/editor';
import { Gallery } from './gallery';

/** Around the workflow in its picture, in pixels. */
const MARGIN = 32;

/** How far the plus sign reaches to the right of the last node, in pixels. */
const PLUS = 80;

interface Canvas {
  /** What each node and note covers on the screen, in pixels. */
  areas: Area[];
  /** The names of nodes and notes whose text doesn't fit. */
  clipped: string[];
}

/** Measures in the page what each node with its label and each note covers. */
const MEASURE = `(() => {
  const areas = [];
  const clipped = [];
  for (const node of document.querySelectorAll('.vue-flow__node')) {
    const note = node.querySelector('[data-test-id=sticky]');
    const name = note
      ? 'Note: ' + note.innerText.trim().split('\\n')[0]
      : node.querySelector('[data-test-id=canvas-node]').dataset.nodeName;
    const parts = note
      ? [note]
      : [...node.querySelectorAll('[data-canvas-node-render-type], [class*=_label_]')];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    areas.push({
      name,
      left: Math.min(...boxes.map(({ left }) => left)),
      top: Math.min(...boxes.map(({ top }) => top)),
      right: Math.max(...boxes.map(({ right }) => right)),
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
    });
    const texts = note
      ? [...note.querySelectorAll('*')].filter(({ innerText }) => innerText)
      : [...node.querySelectorAll('[class*=_label_]')];
    const isClipped = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
      clientHeight > 0 && (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1);
    if (texts.some(isClipped)) clipped.push(name);
  }
  return { areas, clipped };
})()`;

let gallery: Gallery;
let editor: Editor;

beforeAll(async () => {
  gallery = await Gallery.open();
  editor = await Editor.open(gallery.bench.api.origin);
  // Larger than the largest example, so that the editor shows each one at its own size.
  await editor.page.setViewportSize({ width: 2400, height: 1500 });
});

afterAll(async () => {
  await editor?.close();
  await gallery?.close();
});

/** The nodes in which something is to be selected that only the user has, such as a document. */
const toFillIn = ({ nodes }: WorkflowFile): string[] =>
  nodes
    .filter(({ parameters }) =>
      Object.values(parameters).some(
        (value) => isResourceLocatorValue(value) && value.value === '',
      ),
    )
    .map(({ name }) => name);

test.each(exampleNames())(
  '%s: nothing is marked without need, covered or cut off',
  async (name) => {
    const file = await readExample(name);
    await gallery.bench.api.saveWorkflow(file, {});
    const { page } = editor;
    await editor.openWorkflow(file.id);
    // The notes are nodes of the canvas, too.
    const nodes = page.locator('.vue-flow__node');
    await nodes.nth(file.nodes.length - 1).waitFor();
    await page.mouse.move(5, 5);
    await page.waitForTimeout(1_500);

    const { areas, clipped } = await page.evaluate<Canvas>(MEASURE);
    const edge = (side: (...values: number[]) => number, of: keyof Omit<Area, 'name'>) =>
      side(...areas.map((area) => area[of]));
    const [left, top] = [edge(Math.min, 'left') - MARGIN, edge(Math.min, 'top') - MARGIN];
    await editor.pictureOfArea(`examples/${name}`, {
      x: left,
      y: top,
      width: edge(Math.max, 'right') + PLUS - left,
      height: edge(Math.max, 'bottom') + MARGIN - top,
    });

    expect(areas).toHaveLength(file.nodes.length);
    expect({ covered: overlaps(areas), clipped }).toEqual({ covered: [], clipped: [] });
    const marked = page.getByTestId('canvas-node').filter({
      has: page.locator('[data-test-id=node-issues], [data-test-id=node-not-installed]'),
    });
    const names = await Promise.all(
      (await marked.all()).map((one) => one.getAttribute('data-node-name')),
    );
    expect(names.sort()).toEqual(toFillIn(file).sort());
  },
);

test('a node that lacks something would be marked', async () => {
  const file = await readExample('schedule-a-post');
  file.id = 'exampleWithMark1';
  for (const node of file.nodes.filter(({ credentials }) => credentials)) {
    delete node.credentials;
    node.parameters['accounts'] = [];
  }
  await gallery.bench.api.saveWorkflow(file, {});
  await editor.openWorkflow(file.id);
  await editor.page.waitForTimeout(1_500);
  expect(await editor.page.getByTestId('node-issues').count()).toBe(1);
});

test('nothing went wrong in the browser', () => {
  expect(editor.errors).toEqual([]);
});
