import { randomUUID } from 'node:crypto';

import { DateTime } from 'luxon';
import type { INode, INodeParameters } from 'n8n-workflow';

import { actionNode, Bench } from './support/bench';
import { Editor } from './support/editor';

/** The browser is in UTC, n8n in Europe/Berlin (see global-setup.ts), the workflow in New York. */
const WORKFLOW_ZONE = 'America/New_York';

let bench: Bench;
let editor: Editor;
const rows: string[] = [];

beforeAll(async () => {
  bench = await Bench.open();
  editor = await Editor.open(bench.api.origin, { timezoneId: 'UTC' });
});

beforeEach(() => bench.sandbox.clearRequests());

afterAll(async () => {
  console.log(['picked | said before | said after | received', ...rows].join('\n'));
  await editor?.close();
  await bench.close();
});

interface Seen {
  before: string;
  after: string;
  received: string;
}

/** The lines above the output. */
const shown = () => editor.page.getByTestId('output-panel').locator('[class*="callout"]');

/** Opens a node with these parameters, looks, executes and looks again. */
async function pick(picked: string, parameters: INodeParameters, more?: () => Promise<void>) {
  const { page } = editor;
  const node: INode = {
    id: randomUUID(),
    name: 'Post',
    type: actionNode,
    typeVersion: 1,
    position: [0, 0],
    parameters: {
      resource: 'post',
      operation: 'create',
      content: 'Hello',
      accounts: [1],
      ...parameters,
    },
    credentials: { socialPublishingApi: { id: bench.credentialId, name: 'Service' } },
  };
  const id = randomUUID();
  const settings = { timezone: WORKFLOW_ZONE };
  await bench.api.saveWorkflow(
    { id, name: `Trap ${id}`, nodes: [node], connections: {}, settings },
    {},
  );
  await editor.openWorkflow(id);
  await editor.openNode('Post');
  await more?.();
  await page.waitForTimeout(700);
  const hints = shown();
  const before = (await hints.allInnerTexts()).join(' / ');
  await page.getByTestId('node-execute-button').click();
  const error = page.getByTestId('node-error-message');
  const done = hints.getByText(/^Scheduled for/);
  await error.or(done).first().waitFor();
  const after = (await error.isVisible())
    ? await error.innerText()
    : (await hints.allInnerTexts()).join(' / ');
  const body = bench.sandbox.requests.find(({ method }) => method === 'POST')?.body.toString();
  const received = /"scheduledAt":"([^"]+)"/.exec(body ?? '')?.[1] ?? 'nothing';
  const seen: Seen = { before: before || '–', after, received };
  rows.push([picked, seen.before, seen.after, seen.received].join(' | '));
  return seen;
}

const at = (scheduledAt: string, timeZone?: string): INodeParameters => ({
  scheduledAt,
  ...(timeZone !== undefined && { timeZone }),
});

describe('what is picked is what the service receives', () => {
  test.each<[string, INodeParameters, string, RegExp]>([
    [
      'digits, zone of the workflow',
      at('2035-06-01T20:00:00'),
      '2035-06-02T00:00:00.000Z',
      /1 Jun 2035, 20:00 \(America\/New_York\)/,
    ],
    [
      'digits, zone Asia/Tokyo',
      at('2035-06-01T20:00:00', 'Asia/Tokyo'),
      '2035-06-01T11:00:00.000Z',
      /1 Jun 2035, 20:00 \(Asia\/Tokyo\)/,
    ],
    [
      'an offset beside Asia/Tokyo',
      at('2035-06-01T20:00:00+02:00', 'Asia/Tokyo'),
      '2035-06-01T18:00:00.000Z',
      /2 Jun 2035, 03:00 \(Asia\/Tokyo\)/,
    ],
  ])('%s', async (picked, parameters, received, after) => {
    const seen = await pick(`${picked}: ${JSON.stringify(parameters)}`, parameters);
    expect(seen).toMatchObject({ before: '–', received });
    expect(seen.after).toMatch(after);
  });
});

test('the list of zones names that of the workflow first', async () => {
  const { page } = editor;
  await pick('the zone of the workflow, from the list', at('2035-06-01T20:00:00'), async () => {
    await page.getByTestId('parameter-input-timeZone').click();
    const [first] = await page.getByRole('option').allInnerTexts();
    expect(first).toMatch(/^Workflow's zone: New York, UTC-05:00\/-04:00 \(America\/New_York\)/);
    await page.keyboard.press('Escape');
  });
});

test("the picker's Now, which is the browser's, is seen to be hours ahead", async () => {
  const { page } = editor;
  const seen = await pick("the picker's Now in a browser in UTC", {}, async () => {
    await page.getByTestId('parameter-input-scheduledAt').locator('input').click();
    await page.getByRole('button', { name: 'Now' }).click();
  });
  const hours = (Date.parse(seen.received) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(3.9);
  expect(hours).toBeLessThan(5.1);
  expect(seen.after).toMatch(/\(America\/New_York\), in (4|5) hours/);
});

test('the expression that an error says to paste is taken', async () => {
  const words = await pick('tomorrow 9am', at('={{ "tomorrow 9am" }}'));
  expect(words.received).toBe('nothing');
  const refused = editor.page.getByText(/paste this one/).first();
  const [pasted = ''] = /\{\{.+\}\}/.exec(await refused.innerText()) ?? [];
  bench.sandbox.clearRequests();

  const seen = await pick(`pasted: ${pasted}`, at(`=${pasted}`));
  expect(seen.received).toBe(
    DateTime.now()
      .setZone(WORKFLOW_ZONE)
      .plus({ days: 1 })
      .set({ hour: 9, minute: 0, second: 0, millisecond: 0 })
      .toUTC()
      .toISO(),
  );
});

test('a time that has passed is refused', async () => {
  const seen = await pick('passed: 2020-06-01T20:00:00', at('2020-06-01T20:00:00'));
  expect(seen.after).toMatch(/1 Jun 2020, 20:00 \(America\/New_York\).*this time has passed/);
  expect(seen.received).toBe('nothing');
});
