import { randomUUID } from 'node:crypto';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { actionNode, Bench } from './support/bench';
import { Editor } from './support/editor';

let bench: Bench;
let editor: Editor;

beforeAll(async () => {
  bench = await Bench.open();
  editor = await Editor.open(bench.api.origin);
});

afterAll(async () => {
  await editor?.close();
  await bench.close();
});

const START = 'Start';
const NAME = 'Social Publishing';

/** Opens the panel of the node, which has these items as its input. */
async function openWith(
  items: IDataObject[],
  parameters: INodeParameters,
  settings: Partial<INode> = {},
): Promise<void> {
  const id = randomUUID();
  await bench.api.saveWorkflow(
    {
      id,
      name: `Output ${id}`,
      nodes: [
        {
          id: randomUUID(),
          name: START,
          type: 'n8n-nodes-base.manualTrigger',
          typeVersion: 1,
          position: [0, 0],
          parameters: {},
        },
        {
          id: randomUUID(),
          name: NAME,
          type: actionNode,
          typeVersion: 1,
          position: [220, 0],
          parameters,
          credentials: { socialPublishingApi: { id: bench.credentialId, name: 'Service' } },
          ...settings,
        },
      ],
      connections: { [START]: { main: [[{ node: NAME, type: 'main', index: 0 }]] } },
      pinData: { [START]: items.map((json) => ({ json })) },
    },
    {},
  );
  await editor.openWorkflow(id);
  await editor.openNode(NAME);
}

const panel = () => editor.page.getByTestId('output-panel');
const hints = () => panel().locator('[class*="callout"]');
const execute = () => editor.page.getByTestId('node-execute-button').click();

/** What of a cell or a column can be seen without scrolling. */
async function isInSight(text: string | RegExp): Promise<boolean> {
  const cell = panel().getByText(text).first();
  await cell.waitFor();
  const [seen, all] = [await panel().boundingBox(), await cell.boundingBox()];
  return seen !== null && all !== null && all.x >= seen.x && all.x < seen.x + seen.width - 20;
}

async function showTable(): Promise<void> {
  await panel().getByTestId('radio-button-table').first().click();
  await panel().locator('table').waitFor();
}

const rows = (...times: string[]): IDataObject[] =>
  times.map((at, index) => ({
    row_number: index + 2,
    text: `Post ${index + 1}`,
    at,
    client: 'Bakery',
    campaign: 'Spring',
    owner: 'Kim',
  }));

const create = (options: INodeParameters = {}): INodeParameters => ({
  resource: 'post',
  operation: 'create',
  content: '={{ $json.text }}',
  accounts: [1],
  scheduledAt: '={{ $json.at }}',
  options,
});

describe('in Table view, a row that failed shows its error without scrolling', () => {
  const good = '2035-06-01T09:00';

  test.each([
    ['behind a good one', {}, [good, 'never', good]],
    [
      'behind a good one, with the fields of the input',
      { includeInputFields: true },
      [good, 'never', good],
    ],
    ['as the first, with the fields of the input', { includeInputFields: true }, ['never', good]],
  ])('%s', async (name, options, times) => {
    await openWith(rows(...times), create(options), { onError: 'continueRegularOutput' });
    await execute();
    await hints().first().waitFor();
    await showTable();
    await editor.nodePicture(`failed-row-${name.replace(/\W+/g, '-')}`);
    expect(await isInSight(/cannot be read as a date/)).toBe(true);
  });
});

test('a run in the editor says that the post is real', async () => {
  await openWith(rows('2035-06-01T09:00'), create());
  await execute();
  await hints().getByText('This created a real post. Each run creates another').waitFor();
  await editor.nodePicture('real-post');
});

test('a read that returns nothing says where it looked', async () => {
  await openWith([{}], {
    resource: 'post',
    operation: 'getAll',
    filters: { dueAfter: '2036-01-01T00:00:00', dueBefore: '2036-02-01T00:00:00' },
  });
  await execute();
  await panel().getByText('No output data returned').waitFor();
  await editor.nodePicture('nothing-found');
  await hints()
    .getByText(
      /^No posts in workspace 1 due from Tue 1 Jan 2036, 00:00 \(Europe\/Berlin\) and before/,
    )
    .waitFor();
});

test('the options come in the order of use', async () => {
  const { page } = editor;
  await openWith([{}], create());
  await page.getByPlaceholder('Add Option').or(page.getByText('Add Option')).first().click();
  const options = page.getByRole('option').or(page.locator('.el-select-dropdown__item:visible'));
  await options.first().waitFor();
  await editor.screenshot('options-in-order');
  const labels = await options.allInnerTexts();
  expect(labels.slice(0, 3)).toEqual([
    'If the Time Has Passed',
    'If the Same Post Exists',
    'Include Other Input Fields',
  ]);
  expect(labels.at(-1)).toBe('Custom Body Fields');
});
