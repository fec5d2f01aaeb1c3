import * as binaryHelpers from 'n8n-core/dist/execution-engine/node-execution-context/utils/binary-helper-functions';
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { inARow, nodeError, readWorkflow, runWorkflow, useSandbox } from './harness';

const service = useSandbox();

/** Outputs an item with a file that n8n keeps in memory. */
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

async function refusal(field: string) {
  const workflow = inARow(
    { name: 'Start', type: 'test-nodes.start' },
    { name: 'File', type: 'files.file' },
    {
      name: 'Post',
      type: 'n8n-nodes-social-publishing.socialPublishing',
      parameters: { resource: 'post', operation: 'create', mediaFields: field, accounts: [1] },
      credentials,
    },
  );
  const run = await runWorkflow(workflow, {
    credentials: service.credentials(),
    nodeTypes: { 'files.file': new File() },
  });
  expect(service.wire()).toEqual([]);
  const { message, description } = nodeError(run, 'Post');
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
