import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import * as binaryHelpers from 'n8n-core/dist/execution-engine/node-execution-context/utils/binary-helper-functions';
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeParameters,
  INodeType,
  IWorkflowSettings,
} from 'n8n-workflow';

import { addAccount } from '../support/accounts';
import { inARow, nodeError, readWorkflow, runWorkflow, useSandbox } from './harness';

const service = useSandbox();

afterEach(() => {
  jest.restoreAllMocks();
});

/** Outputs an item with a file. */
class File implements INodeType {
  description = {
    displayName: 'File',
    name: 'file',
    description: 'File',
    group: [],
    version: 1,
    defaults: {},
    inputs: ['main' as const],
    outputs: ['main' as const],
    properties: [],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const photo = await this.helpers.prepareBinaryData(Buffer.from('Hello'), 'hello.txt');
    return await Promise.resolve([[{ json: {}, binary: { photo } }]]);
  }
}

const { credentials = {} } = readWorkflow('post.create').nodes.at(-1) ?? {};

const run = (parameters: INodeParameters, settings: IWorkflowSettings = {}) => {
  const workflow = inARow(
    { name: 'Start', type: 'test-nodes.start' },
    { name: 'File', type: 'files.file' },
    {
      name: 'Post',
      type: 'n8n-nodes-social-publishing.socialPublishing',
      parameters: { resource: 'post', operation: 'create', accounts: [1], ...parameters },
      credentials,
    },
  );
  return runWorkflow(
    { ...workflow, settings },
    { credentials: service.credentials(), nodeTypes: { 'files.file': new File() } },
  );
};

async function refusal(field: string) {
  const refused = await run({ mediaFields: field });
  expect(service.wire()).toEqual([]);
  const { message, description } = nodeError(refused, 'Post');
  return { message, description };
}

test('a field that does not exist is answered with those that do', async () => {
  expect(await refusal('data')).toEqual({
    message: 'Media Files holds "data", and the input item has no such file [item 0]',
    description: expect.stringMatching(/^The item has files in: photo\./) as string,
  });
});

test('a file in memory is refused', async () => {
  expect(await refusal('photo')).toEqual({
    message: 'Media Files cannot be used, because this n8n keeps files in memory [item 0]',
    description: expect.stringMatching(
      /^Set N8N_DEFAULT_BINARY_DATA_MODE to filesystem for n8n and restart it\./,
    ) as string,
  });
});

test('in an n8n that cannot give files an address, any file is refused', async () => {
  const { getBinaryHelperFunctions } = binaryHelpers;
  jest.spyOn(binaryHelpers, 'getBinaryHelperFunctions').mockImplementation((...of) => {
    const helpers = getBinaryHelperFunctions(...of);
    const older: Partial<typeof helpers> = helpers;
    delete older.createBinarySignedUrl;
    return helpers;
  });

  expect(await refusal('photo')).toEqual({
    message:
      'Media Files cannot be used, because this n8n is too old to give files an address [item 0]',
    description: expect.stringMatching(
      /^Update n8n\. Or upload the file somewhere public and enter its address in Media URLs\./,
    ) as string,
  });
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

  /** The warnings above the output of a run. */
  async function warnings(days: number, settings?: IWorkflowSettings): Promise<string[]> {
    const result = await run(inDays(days), settings);
    expect(service.sandbox.store.posts).toHaveLength(1);
    return (result.data.resultData.runData['Post']?.at(-1)?.hints ?? []).flatMap(
      ({ type, message }) => (type === 'warning' ? [message] : []),
    );
  }

  test.each([1, 15])(
    'a file has an address until 7 days after the post, due in days: %p',
    async (days) => {
      await run(inDays(days));
      const [url = ''] = service.sandbox.store.posts[0]?.variants[0]?.mediaUrls ?? [];
      const token = new URL(url).searchParams.get('token') ?? '';
      const [, payload = ''] = token.split('.');
      const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as IDataObject;
      const id = files.validateSignedToken(token);

      expect(exp).toBe(Date.UTC(2035, 0, 1 + days + 7) / 1000);
      expect((await files.getAsBuffer({ id, data: '', mimeType: '' })).toString()).toBe('Hello');
    },
  );

  test('warns when n8n deletes executions before the post is due', async () => {
    expect(await warnings(15)).toEqual([
      'The post is due in 15 days, and n8n deletes executions with their files after 14 days unless it is configured otherwise (EXECUTIONS_DATA_MAX_AGE)',
    ]);
  });

  test('is silent when the post is due before', async () => {
    expect(await warnings(14, { saveDataSuccessExecution: 'all' })).toEqual([]);
  });

  test('warns when the workflow does not save successful executions', async () => {
    expect(await warnings(1, { saveDataSuccessExecution: 'none' })).toEqual([
      expect.stringMatching(
        /^This workflow does not save successful production executions, so n8n deletes the files/,
      ),
    ]);
  });
});
