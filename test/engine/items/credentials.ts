import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { RunOptions } from '../harness';
import { creating, records, runWorkflow, StoredCredentials, useSandbox } from '../harness';

const service = useSandbox({});

const workflow = creating(
  {
    content: '={{ $json.text }}',
    scheduledAt: '2035-01-15T09:30:00.000Z',
  },
  { onError: 'continueRegularOutput' },
);

/** Counts how often n8n reads the credential. */
const reads = () => jest.spyOn(StoredCredentials.prototype, 'getDecrypted');

const run = async (
  credential: ICredentialDataDecryptedObject,
  input: IDataObject[],
  options: RunOptions = {},
) =>
  await runWorkflow(workflow, {
    credentials: service.credentials(credential),
    input,
    ...options,
  });

const posts = (count: number, more: (index: number) => IDataObject = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ text: `Post ${index}`, ...more(index) }));

/** The workspaces that the service was asked for, in the order of the items. */
const workspaces = () =>
  service.sandbox.requests
    .map(
      ({ body }) =>
        JSON.parse(body.toString('utf8')) as {
          workspaceId: number;
          variants: [{ content: string }];
        },
    )
    .sort((a, b) => a.variants[0].content.localeCompare(b.variants[0].content))
    .map(({ workspaceId }) => workspaceId);

test('n8n reads a credential without expressions once, however many items there are', async () => {
  const read = reads();

  await run({}, posts(9));

  expect(service.sandbox.requests).toHaveLength(9);
  expect(read).toHaveBeenCalledTimes(1);
});

test.each([
  ['refers to the item', '={{ $json.workspace }}', [1, 2, 3]],
  ['refers to the item in a text', '={{ "" }}{{ $json.workspace }}', [1, 2, 3]],
  ['refers to the number of the item', '={{ $itemIndex + 1 }}', [1, 2, 3]],
])('a credential that %s is resolved for each item', async (_, workspaceId, asked) => {
  await run(
    { workspaceId },
    posts(3, (index) => ({ workspace: index + 1 })),
  );

  expect(workspaces()).toEqual(asked);
});

test('a field that the first item leaves alone is resolved for the others', async () => {
  await run(
    { workspaceId: '={{ $json.workspace ?? 1 }}' },
    posts(3, (index) => (index === 2 ? { workspace: 5 } : {})),
  );

  expect(workspaces()).toEqual([1, 1, 5]);
});

test('a credential with a variable of n8n is read once', async () => {
  const read = reads();

  await run({ workspaceId: '={{ $vars.workspace }}' }, posts(9), { variables: { workspace: '1' } });

  expect(workspaces()).toEqual(Array(9).fill(1));
  expect(read).toHaveBeenCalledTimes(1);
});

test('a credential that cannot be used is reported for each item', async () => {
  const failed = await run({ baseUrl: '' }, posts(3));

  expect(records(failed, 'Create post')).toMatchObject(
    [0, 1, 2].map((item) => ({
      error: expect.stringMatching(`^Base URL .*\\[item ${item}\\]$`) as string,
      details: { field: 'credential.baseUrl', certainty: 'notSent' },
    })),
  );
  expect(service.sandbox.requests).toHaveLength(0);
});

test('what one credential is told to wait for does not hold back another', async () => {
  const other = await startSandbox({ seed: false });
  try {
    service.sandbox.faults.add({ kind: 'rateLimit', retryAfter: 1, times: 1 });
    await run(
      { baseUrl: '={{ $json.base }}' },
      posts(12, (index) => ({ base: (index === 0 ? service.sandbox : other).baseUrl })),
    );

    const [refused, again] = service.sandbox.requests;
    expect([refused?.status, again?.status]).toEqual([429, 201]);
    expect(other.requests).toHaveLength(11);
    for (const { receivedAt } of other.requests) {
      expect(receivedAt.getTime()).toBeLessThan(again!.receivedAt.getTime());
    }
  } finally {
    await other.close();
  }
});
