import type { RequestListener } from 'node:http';

import { Container } from '@n8n/di';
import { Cipher } from 'n8n-core';
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import type { TestServer } from '../support/server';
import { listen } from '../support/server';
import {
  inARow,
  items,
  nodeError,
  readLog,
  records,
  resumed,
  retried,
  runWorkflow,
  storedCredentials,
  withNode,
} from './harness';

/** The engine's way to the network, without a node under test: one GET for each item. */
class Get implements INodeType {
  description = {
    displayName: 'Get',
    name: 'get',
    description: 'Get',
    group: [],
    version: 1,
    defaults: {},
    inputs: ['main' as const],
    outputs: ['main' as const],
    credentials: [{ name: 'socialPublishingApi', required: true }],
    properties: [
      { displayName: 'Path', name: 'path', type: 'string' as const, default: '', required: true },
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('socialPublishingApi');
    const answers: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys()) {
      const url = `${baseUrl}${this.getNodeParameter('path', item) as string}`;
      try {
        const json = (await this.helpers.httpRequestWithAuthentication.call(
          this,
          'socialPublishingApi',
          { url, json: true },
        )) as INodeExecutionData['json'];
        answers.push({ json, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        answers.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [answers];
  }
}

const nodeTypes = { 'harness.get': new Get() };
const start = { name: 'Start', type: 'test-nodes.start' };
const get = {
  name: 'Get',
  type: 'harness.get',
  parameters: { path: '=/{{ $json.path }}' },
  credentials: { socialPublishingApi: { id: 'key', name: 'Key' } },
};

let answer: RequestListener;
let server: TestServer;

beforeAll(async () => {
  server = await listen((request, response) => answer(request, response));
});
afterAll(() => server.close());
beforeEach(() => {
  answer = ({ url, headers }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ url, authorization: headers.authorization }));
  };
});

const key = (apiKey: string) => ({
  key: { type: 'socialPublishingApi', data: { baseUrl: server.origin, apiKey, workspaceId: '' } },
});

test('authenticates with a decrypted credential whose expressions are resolved', async () => {
  const run = await runWorkflow(inARow(start, get), {
    nodeTypes,
    credentials: key("={{ 'spk_' + (40 + 2) }}"),
    input: [{ path: 'a' }, { path: 'b' }],
  });

  expect(run.status).toBe('success');
  expect(records(run, 'Get')).toEqual([
    { url: '/a', authorization: 'Bearer spk_42' },
    { url: '/b', authorization: 'Bearer spk_42' },
  ]);
});

test('keeps credentials encrypted with the key of the instance', async () => {
  const data = { baseUrl: server.origin, apiKey: 'spk_secret', workspaceId: '' };
  const helper = await storedCredentials({ key: { type: 'socialPublishingApi', data } });

  const stored = await helper.getCredentials({ id: 'key', name: '' }, 'socialPublishingApi');

  expect(stored.data).toMatch(/^U2FsdGVk/);
  expect(stored.data).not.toContain('spk_secret');
  expect(JSON.parse(Container.get(Cipher).decryptWithInstanceKey(String(stored.data)))).toEqual(
    data,
  );
});

test('refuses a credential that does not exist, as n8n does', async () => {
  const run = await runWorkflow(inARow(start, get), { nodeTypes, input: [{ path: 'a' }] });

  expect(nodeError(run, 'Get').message).toBe(
    'Credential with ID "key" does not exist for type "socialPublishingApi".',
  );
});

test('refuses to start a workflow with a required parameter left empty', async () => {
  const workflow = inARow(start, { ...get, parameters: { path: '' } });

  await expect(runWorkflow(workflow, { nodeTypes, credentials: key('spk_1') })).rejects.toThrow(
    "The 'Get' node has issues",
  );
});

test("resolves links between items, the workflow's time zone and in-place edits", async () => {
  const run = await runWorkflow(
    inARow(start, get, {
      name: 'Edit',
      type: 'test-nodes.editInPlace',
      parameters: { values: '={{ { from: $("Start").item.json.path, zone: $now.zoneName } }}' },
    }),
    {
      nodeTypes,
      credentials: key('spk_1'),
      input: [{ path: 'a' }, { path: 'b' }],
      timezone: 'Asia/Kathmandu',
    },
  );

  expect(records(run, 'Edit')).toMatchObject([
    { url: '/a', from: 'a', zone: 'Asia/Kathmandu' },
    { url: '/b', from: 'b', zone: 'Asia/Kathmandu' },
  ]);
});

test('runs a node again in a loop', async () => {
  const run = await runWorkflow(
    {
      ...inARow(start, { name: 'Loop', type: 'test-nodes.loop' }, get),
      connections: {
        Start: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
        Loop: { main: [[], [{ node: 'Get', type: 'main', index: 0 }]] },
        Get: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
      },
    },
    { nodeTypes, credentials: key('spk_1'), input: [{ path: 'a' }, { path: 'b' }] },
  );

  expect(records(run, 'Get', 0, 0)).toMatchObject([{ url: '/a' }]);
  expect(records(run, 'Get', 0, 1)).toMatchObject([{ url: '/b' }]);
  expect(records(run, 'Loop')).toMatchObject([{ url: '/a' }, { url: '/b' }]);
});

describe('when the second of two requests fails', () => {
  const input = [{ path: 'a' }, { path: 'b' }];
  let failures: number;
  let requests: number;

  beforeEach(() => {
    failures = 1;
    requests = 0;
    const healthy = answer;
    answer = (request, response) => {
      requests += 1;
      if (request.url === '/b' && failures > 0) {
        failures -= 1;
        response.statusCode = 500;
      }
      healthy(request, response);
    };
  });

  test('the run ends with the error of the node', async () => {
    const run = await runWorkflow(inARow(start, get), {
      nodeTypes,
      credentials: key('spk_1'),
      input,
    });

    expect(run.status).toBe('error');
    expect(nodeError(run, 'Get')).toMatchObject({ name: 'NodeApiError', httpCode: '500' });
    expect(() => items(run, 'Get')).toThrow('The node "Get" output no items: ');
  });

  test('Retry On Fail runs the whole node again', async () => {
    const workflow = withNode(inARow(start, get), 'Get', {
      retryOnFail: true,
      waitBetweenTries: 1,
    });

    const run = await runWorkflow(workflow, { nodeTypes, credentials: key('spk_1'), input });

    expect(records(run, 'Get')).toMatchObject([{ url: '/a' }, { url: '/b' }]);
    expect(requests).toBe(4);
  });

  test('On Error decides where the failed item goes', async () => {
    const run = await runWorkflow(
      withNode(inARow(start, get), 'Get', { onError: 'continueErrorOutput' }),
      { nodeTypes, credentials: key('spk_1'), input },
    );

    expect(records(run, 'Get', 0)).toMatchObject([{ url: '/a' }]);
    expect(records(run, 'Get', 1)).toEqual([
      { path: 'b', error: 'The service was not able to process your request' },
    ]);
  });

  test('Execute Once takes the first item alone', async () => {
    const run = await runWorkflow(withNode(inARow(start, get), 'Get', { executeOnce: true }), {
      nodeTypes,
      credentials: key('spk_1'),
      input,
    });

    expect(records(run, 'Get')).toMatchObject([{ url: '/a' }]);
    expect(requests).toBe(1);
  });

  test('a retry of the execution goes on at the failed node', async () => {
    const workflow = inARow(start, get);
    const options = { nodeTypes, credentials: key('spk_1') };
    const failed = await runWorkflow(workflow, { ...options, input });

    const run = await runWorkflow(workflow, { ...options, mode: 'retry', from: retried(failed) });

    expect(run.status).toBe('success');
    expect(records(run, 'Get')).toMatchObject([{ url: '/a' }, { url: '/b' }]);
    expect(run.data.resultData.runData.Start).toHaveLength(1);
  });

  test('the log of n8n tells of it', async () => {
    await runWorkflow(inARow(start, { ...get, name: 'Get logged' }), {
      nodeTypes,
      credentials: key('spk_1'),
      input,
    });

    expect(await readLog()).toContain('Running node \\"Get logged\\" finished with error');
  });
});

test('a waiting execution goes on where it waited', async () => {
  const workflow = inARow(start, { name: 'Wait', type: 'test-nodes.wait' }, get);
  const options = { nodeTypes, credentials: key('spk_1'), executionId: '1' };
  const waiting = await runWorkflow(workflow, { ...options, input: [{ path: 'a' }] });
  expect(waiting.status).toBe('waiting');

  const run = await runWorkflow(workflow, { ...options, from: resumed(waiting) });

  expect(run.status).toBe('success');
  expect(records(run, 'Get')).toMatchObject([{ url: '/a' }]);
});

test('an execution is stopped by its signal', async () => {
  const stop = new AbortController();
  answer = (_request, response) => {
    stop.abort();
    response.end('{}');
  };

  const run = await runWorkflow(
    inARow(start, get, { name: 'After', type: 'test-nodes.editInPlace' }),
    { nodeTypes, credentials: key('spk_1'), input: [{ path: 'a' }], signal: stop.signal },
  );

  expect(run.status).toBe('canceled');
  expect(run.data.resultData.runData).not.toHaveProperty('After');
});

test('hooks watch the nodes of an execution', async () => {
  const ran: string[] = [];

  await runWorkflow(inARow(start, { name: 'Edit', type: 'test-nodes.editInPlace' }), {
    hooks: { nodeExecuteAfter: [(name) => void ran.push(name)] },
  });

  expect(ran).toEqual(['Start', 'Edit']);
});
