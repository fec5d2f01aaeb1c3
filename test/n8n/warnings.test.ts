import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chain } from '../../scripts/n8n/chain';
import { actionNode, Bench } from './support/bench';
import { Editor } from './support/editor';

const START = 'Start';
const NAME = 'Social Publishing';

let bench: Bench;
let editor: Editor;
let host: Server;
let files: string;

/** What the host of the media says, by path: a status and a type. */
const answers: Record<string, [status: number, type: string]> = {
  '/bread.jpg': [200, 'image/jpeg'],
  '/page': [200, 'text/html'],
  '/logo.svg': [200, 'image/svg+xml'],
  '/private.jpg': [403, 'text/plain'],
  '/broken.jpg': [500, 'text/plain'],
};

beforeAll(async () => {
  bench = await Bench.open();
  editor = await Editor.open(bench.api.origin);
  host = createServer(({ url = '' }, response) => {
    if (url === '/slow.jpg') return;
    const [status, type] = answers[url] ?? [404, 'text/plain'];
    response.writeHead(status, { 'content-type': type }).end();
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  files = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await editor?.close();
  host?.closeAllConnections();
  host?.close();
  await bench?.close();
});

interface Post extends IDataObject {
  text?: string;
  media?: string[];
  accounts?: string;
  at?: string;
}

const FIELDS: INodeParameters = {
  resource: 'post',
  content: '={{ $json.text }}',
  mediaUrls: '={{ $json.media }}',
  accounts: '={{ $json.accounts }}',
  scheduledAt: '={{ $json.at }}',
};

/** Runs an operation for posts in the editor, and takes a picture of the panel. */
async function show(
  name: string,
  operation: 'create' | 'preview',
  posts: Post[],
  options: INodeParameters = {},
): Promise<void> {
  const { page } = editor;
  const workflow = chain([
    { name: START, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
    {
      name: NAME,
      type: actionNode,
      typeVersion: 1,
      parameters: { ...FIELDS, operation, options },
      credential: 'socialPublishingApi',
    },
  ]);
  const items = posts.map((post) => ({
    json: { text: 'Fresh sourdough', accounts: 'facebook', at: '2035-06-01T09:00:00', ...post },
  }));
  const file = { ...workflow, pinData: { [START]: items } };
  await bench.api.saveWorkflow(file, { socialPublishingApi: bench.credentialId });
  await editor.openWorkflow(file.id);
  await editor.openNode(NAME);
  await page.getByTestId('node-execute-button').click();
  await page.getByTestId('output-panel').getByText(`${posts.length} item`).first().waitFor();
  await editor.nodePicture(`warnings/${name}`);
}

/** The lines above the output. */
const lines = async (): Promise<string[]> =>
  (
    await editor.page
      .getByTestId('output-panel')
      .locator('[class*="callout"]:not([class*="callout"] *)')
      .allInnerTexts()
  ).map((text) => text.trim());

const long = (length: number): string =>
  'Fresh sourdough from 8 a.m. '.repeat(150).slice(0, length);

const pictures = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `https://example.com/${index + 1}.jpg`);

const video = (name: string): string => `https://example.com/${name}.mp4`;

describe('above the output of Create', () => {
  test('stands what is too long', async () => {
    await show('too-long', 'create', [
      { accounts: 'x', text: long(300) },
      { accounts: 'linkedin', text: long(3001) },
      { accounts: 'mastodon', text: long(501) },
      { accounts: 'instagram', text: long(2201), media: pictures(1) },
    ]);
    const found = await lines();
    for (const words of [
      /280 characters that X takes/,
      /3,000 .*LinkedIn/,
      /500 .*Mastodon/,
      /2,200 .*Instagram/,
    ]) {
      expect(found).toContainEqual(expect.stringMatching(words));
    }
  });

  test('stands what is wrong with the media', async () => {
    await show('media', 'create', [
      { accounts: 'instagram' },
      { accounts: 'instagram', media: pictures(11) },
      { accounts: 'x', media: pictures(5) },
    ]);
    const found = await lines();
    for (const words of [/needs a picture or a video/, /Instagram takes \(10\)/, /X takes \(4\)/]) {
      expect(found).toContainEqual(expect.stringMatching(words));
    }
  });

  test('stands what is no file, and one video too many', async () => {
    await show('no-files', 'create', [
      { accounts: 'linkedin', media: [video('a'), video('b')] },
      { media: ['https://drive.google.com/drive/folders/1AbC-dEf'] },
      { media: ['https://photos.app.goo.gl/a1B2'] },
    ]);
    const found = await lines();
    for (const words of [
      /more videos than LinkedIn/,
      /a folder of Google Drive/,
      /a page of Google Photos/,
    ]) {
      expect(found).toContainEqual(expect.stringMatching(words));
    }
  });

  test('stands what is odd about the account and the time', async () => {
    await show(
      'account-and-time',
      'create',
      [
        { accounts: 'tiktok', media: [video('a')] },
        { at: '2035-06-02' },
        { at: '2035-10-28T02:30:00' },
        { at: '2020-01-05T10:00:00' },
      ],
      { ifPast: 'publish' },
    );
    const found = await lines();
    for (const words of [/is inactive/, /means midnight/, /twice that day/, /publishes at once/]) {
      expect(found).toContainEqual(expect.stringMatching(words));
    }
  });

  test('stands once what differs in a value alone', async () => {
    const posts = Array.from({ length: 13 }, (_, index) => ({
      media: [`https://photos.app.goo.gl/${index}`],
    }));
    await show('many', 'create', posts);
    expect(await lines()).toContainEqual(
      expect.stringMatching(/Google Photos.* \[row 1; other values in rows 2 to 13\]$/),
    );
  });

  test('stands which posts were there already', async () => {
    await show('taken', 'create', [{ at: '2035-07-01T09:00:00' }, { at: '2035-07-01T09:00:00' }], {
      ifScheduled: 'skip',
    });
    expect(await lines()).toContainEqual(expect.stringMatching(/^1 post not created, because/));
  });
});

describe('in the output of Preview', () => {
  test('stands all that Create would warn of, and what the hosts of the media say', async () => {
    const posts = [
      { accounts: 'x, linkedin', text: long(400), media: [`${files}/bread.jpg`] },
      { accounts: '1, 999', media: [`${files}/nothing.jpg`] },
      { media: [`${files}/page`, `${files}/logo.svg`, `${files}/private.jpg`] },
      { media: [`${files}/broken.jpg`, `${files}/slow.jpg`, 'http://127.0.0.1:1/bread.jpg'] },
      {
        accounts: 'tiktok',
        at: '2035-06-02',
        media: ['https://photos.app.goo.gl/a1B2'],
      },
    ];
    const found: string[] = [];
    for (const [index, post] of posts.entries()) {
      await show(`preview-${index}`, 'preview', [post]);
      found.push(...(await lines()));
    }
    for (const words of [
      /280 characters that X takes/,
      /where nothing is \(404\)/,
      /no account 999/,
      /a web page instead of a file/,
      /a type that no platform takes \(image\/svg\+xml\)/,
      /does not show to everyone \(403\)/,
      /could not serve \(500\)/,
      /did not answer in time/,
      /cannot be reached/,
    ]) {
      expect(found).toContainEqual(expect.stringMatching(words));
    }
    await show('preview', 'preview', [...posts, { accounts: 'tiktok', at: '2035-06-02' }]);
    const together = await lines();
    expect(together).toHaveLength(6);
    expect(together).toContainEqual(expect.stringMatching(/more warnings are not shown$/));
  });
});
