import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import * as binaryHelpers from 'n8n-core/dist/execution-engine/node-execution-context/utils/binary-helper-functions';
import type {
  IBinaryData,
  IDataObject,
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  INodeParameters,
  INodeType,
  IWorkflowSettings,
} from 'n8n-workflow';

import { addAccount } from '../../support/records';
import type { RunOptions } from '../harness';
import { hintsOf, inARow, nodeError, readWorkflow, useSandbox } from '../harness';

const service = useSandbox();

/** What the item has: a file as n8n keeps it, unless a test says otherwise. */
type Give = (
  helpers: IExecuteFunctions['helpers'],
) => Promise<Pick<INodeExecutionData, 'json' | 'binary'>>;

const hello: Give = async (helpers) => ({
  json: {},
  binary: { photo: await helpers.prepareBinaryData(Buffer.from('Hello'), 'hello.txt') },
});

/** A node that outputs one item. */
const giving = (give: Give): INodeType => ({
  description: {
    displayName: 'File',
    name: 'file',
    description: 'File',
    group: [],
    version: 1,
    defaults: {},
    inputs: ['main'],
    outputs: ['main'],
    properties: [],
  },
  async execute(this: IExecuteFunctions) {
    return [[await give(this.helpers)]];
  },
});

const { credentials = {} } = readWorkflow('post.create').nodes.at(-1) ?? {};

interface Options extends RunOptions {
  settings?: IWorkflowSettings;
  node?: Partial<INode>;
  give?: Give;
}

const run = (
  parameters: INodeParameters,
  { settings = {}, node = {}, give = hello, ...options }: Options = {},
) => {
  // In a manual run, n8n would wait for a trigger.
  const start = options.mode === 'manual' ? [] : [{ name: 'Start', type: 'test-nodes.start' }];
  const workflow = inARow(
    ...start,
    { name: 'File', type: 'files.file' },
    {
      name: 'Post',
      type: 'n8n-nodes-social-publishing.socialPublishing',
      parameters: {
        resource: 'post',
        operation: 'create',
        accounts: [1],
        publish: 'now',
        ...parameters,
      },
      credentials,
      ...node,
    },
  );
  return service.run({ ...workflow, settings }, undefined, {
    nodeTypes: { 'files.file': giving(give) },
    ...options,
  });
};

async function refusal(field: string, give?: Give) {
  const refused = await run({ mediaFields: field }, give && { give });
  expect(service.wire()).toEqual([]);
  const { message, description } = nodeError(refused, 'Post');
  return `${message}\n${description}`;
}

test('a field that does not exist is answered with those that do', async () => {
  expect(await refusal('data')).toMatch(/^Media Files .*"data".*\[item 0\]\n.*\bphoto\b/);
});

test('a file in memory is refused', async () => {
  expect(await refusal('photo')).toMatch(
    /^Media Files .*\[item 0\]\n.*N8N_DEFAULT_BINARY_DATA_MODE.* filesystem/,
  );
});

test('in an n8n that cannot give files an address, any file is refused', async () => {
  const { getBinaryHelperFunctions } = binaryHelpers;
  jest.spyOn(binaryHelpers, 'getBinaryHelperFunctions').mockImplementation((...of) => {
    const helpers = getBinaryHelperFunctions(...of);
    const older: Partial<typeof helpers> = helpers;
    delete older.createBinarySignedUrl;
    return helpers;
  });

  expect(await refusal('photo')).toMatch(/^Media Files .*\[item 0\]\n.*Media URLs/);
});

describe('with files that n8n keeps on disk', () => {
  const files = Container.get(BinaryDataService);

  beforeAll(() => files.init());

  beforeEach(() => {
    addAccount(service.sandbox);
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2035, 0, 1));
  });

  const inDays = (days: number): INodeParameters => ({
    mediaFields: 'photo',
    publish: 'after',
    delayAmount: days,
    delayUnit: 'days',
  });

  /** The addresses of the media that the service got for the only post. */
  const sent = (): string[] => {
    expect(service.sandbox.store.posts).toHaveLength(1);
    return service.sandbox.store.posts[0]?.variants[0]?.mediaUrls ?? [];
  };

  /** What is served at an address. */
  async function served(url: string | undefined): Promise<string> {
    const id = files.validateSignedToken(new URL(url ?? '').searchParams.get('token') ?? '');
    return (await files.getAsBuffer({ id, data: '', mimeType: '' })).toString();
  }

  test.each([1, 15])(
    'a file has an address until 7 days after the post, due in days: %p',
    async (days) => {
      await run(inDays(days));
      const [url = ''] = sent();
      const token = new URL(url).searchParams.get('token') ?? '';
      const [, payload = ''] = token.split('.');
      const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as IDataObject;

      expect(exp).toBe(Date.UTC(2035, 0, 1 + days + 7) / 1000);
      expect(await served(url)).toBe('Hello');
    },
  );

  const base64 = (text: string): IBinaryData => ({
    data: Buffer.from(text).toString('base64'),
    mimeType: 'text/plain',
    fileName: 'hello.txt',
  });

  test.each<[string, string, Give]>([
    [
      'that travels inside the item, as of a Code node',
      'photo',
      () => Promise.resolve({ json: {}, binary: { photo: base64('Inside') } }),
    ],
    [
      'that n8n keeps beside the JSON',
      'photo',
      async (helpers) => {
        const photo = await helpers.prepareBinaryData(Buffer.from('Inside'), 'hello.txt');
        return { json: { _files: { photo } } as unknown as IDataObject };
      },
    ],
    [
      'that is named by its path',
      '_files.photo',
      async (helpers) => {
        const photo = await helpers.prepareBinaryData(Buffer.from('Inside'), 'hello.txt');
        return { json: { _files: { photo } } as unknown as IDataObject };
      },
    ],
  ])('a file %s is served', async (_, mediaFields, give) => {
    await run({ mediaFields }, { give });

    expect(sent()).toHaveLength(1);
    expect(await served(sent()[0])).toBe('Inside');
  });

  test('a file that is named twice, or is in two fields, is sent once', async () => {
    await run(
      { mediaFields: 'photo, photo, same' },
      {
        give: async (helpers) => {
          const photo = await helpers.prepareBinaryData(Buffer.from('Hello'), 'hello.txt');
          return { json: {}, binary: { photo, same: { ...photo } } };
        },
      },
    );
    expect(sent()).toHaveLength(1);
  });

  test('a copy is made once for all tries and accounts', async () => {
    addAccount(service.sandbox);
    service.sandbox.faults.add({ kind: 'status', status: 422, times: 2 });
    const store = jest.spyOn(files, 'store');
    await run(
      { mediaFields: 'photo', accounts: [1, 2] },
      { node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } },
    );

    expect(service.wire()).toHaveLength(3);
    expect(sent()).toHaveLength(1);
    // The file itself, and its copy.
    expect(store).toHaveBeenCalledTimes(2);
  });

  test('a file that n8n has deleted is refused before anything is sent', async () => {
    const gone: Give = async (helpers) => {
      const photo = await helpers.prepareBinaryData(Buffer.from('Hello'), 'hello.txt');
      await files.deleteManyByBinaryDataId([photo.id ?? '']);
      return { json: {}, binary: { photo } };
    };

    expect(await refusal('photo', gone)).toMatch(/^Media Files .*"photo".*\[item 0\]/);
  });

  test.each<[string, Give]>([
    [
      'stored',
      async (helpers) => ({
        json: {},
        binary: { photo: await helpers.prepareBinaryData(Buffer.alloc(0), 'hello.txt') },
      }),
    ],
    ['in the item', () => Promise.resolve({ json: {}, binary: { photo: base64('') } })],
  ])('an empty file is refused, %s', async (_, give) => {
    expect(await refusal('photo', give)).toMatch(/^Media Files .*"photo".*\[item 0\]/);
  });

  /** The warnings above the output of a run. */
  async function warnings(
    days: number,
    settings?: IWorkflowSettings,
    mode?: 'manual',
  ): Promise<string[]> {
    const result = await run(inDays(days), {
      ...(settings && { settings }),
      ...(mode && { mode }),
    });
    expect(service.sandbox.store.posts).toHaveLength(1);
    return hintsOf(result, 'Post', 'warning');
  }

  test('warns when n8n deletes executions before the post is due', async () => {
    expect(await warnings(15)).toEqual([
      expect.stringMatching(
        /\b14 days.+ 10,000.+EXECUTIONS_DATA_MAX_AGE, EXECUTIONS_DATA_PRUNE_MAX_COUNT/,
      ),
    ]);
  });

  test.each<[IWorkflowSettings, 'manual' | undefined, RegExp]>([
    [{ saveDataSuccessExecution: 'none' }, undefined, /success/],
    [{ saveDataErrorExecution: 'none' }, undefined, /fail/],
    [{ saveManualExecutions: false }, 'manual', /manual/],
  ])('warns of a workflow with %j (%s)', async (settings, mode, which) => {
    expect(await warnings(1, settings, mode)).toEqual([expect.stringMatching(which)]);
  });

  test.each<[IWorkflowSettings, 'manual' | undefined]>([
    [{ saveDataSuccessExecution: 'all' }, undefined],
    [{ saveManualExecutions: false }, undefined],
    [{ saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' }, 'manual'],
    [{ saveManualExecutions: 'DEFAULT' }, 'manual'],
  ])('is silent where nothing is lost: %j (%s)', async (settings, mode) => {
    expect(await warnings(14, settings, mode)).toEqual([]);
  });
});
