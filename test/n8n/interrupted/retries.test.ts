import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { startSandbox } from '../../../sandbox';
import { chain } from '../../../scripts/n8n/chain';
import { N8nInstance } from '../../../scripts/n8n/instance';
import { workDir } from '../../../scripts/n8n/paths';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { addAccount } from '../../support/records';
import { saveService } from '../../support/service-credential';
import { actionNode } from '../support/bench';
import { startFreshN8n } from '../support/fresh';
import { isSince } from '../support/version';
import { CREATE, PostingWorkflow, toldBy } from './posting';
import { retryAll } from './runs';

const POSTS = 30;
const CREATED = 8;

const userFolder = join(workDir(), 'retries');

let n8n: N8nInstance;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
});

const opened: Array<{ close(): Promise<void> }> = [];

afterAll(async () => {
  await n8n?.stop();
  for (const one of opened) await one.close();
});

describe.each(['stopped', 'killed'])('an execution that is %s while it creates posts', (how) => {
  test('is retried, and no post is created twice, however often', async () => {
    const workflow = await PostingWorkflow.publish(n8n, {
      times: 'fixed',
      variants: 'fields',
      options: { concurrency: 2 },
    });
    opened.push(workflow);
    workflow.hangAfter(CREATED);
    const posts = Array.from({ length: POSTS }, (_, post) => post);
    const run = await workflow.start(n8n, posts);
    await waitFor('Too few posts', () => workflow.posts.length >= CREATED || undefined);
    if (how === 'stopped') await n8n.api.stopExecution(run.id);
    else {
      await n8n.kill();
      n8n = await N8nInstance.start({ userFolder });
    }
    workflow.goOn();

    const retries = await retryAll(n8n, run);

    expect(workflow.doubled()).toBe(0);
    const [first] = retries;
    // The stop of an older n8n may forget what was left to do: then a retry runs no node.
    const ran = how === 'killed' || isSince('2.28') || first?.told.ran === true;
    if (!ran) {
      expect(first?.told.status).toBe('success');
      expect(retries.map(({ sent }) => sent)).toEqual(retries.map(() => 0));
    } else if (isSince('2.14')) {
      expect(first?.sent).toBeGreaterThan(0);
    } else {
      // An older n8n has no resume token, and so no record that a retry can find.
      expect(retries.map(({ sent, held }) => [sent, held])).toEqual(retries.map(() => [0, POSTS]));
      expect(first?.told.error?.description).toContain('this n8n is too old to keep a log');
    }
  });
});

test('an execution that failed before it came to the node creates its post in a retry, from n8n 1.104 on', async () => {
  const sandbox = await startSandbox({ seed: false });
  opened.push(sandbox);
  addAccount(sandbox);
  sandbox.faults.add({ kind: 'status', status: 403, path: '/accounts', times: 1 });
  const credential = 'socialPublishingApi';
  const credentialId = await saveService(n8n.api, sandbox);
  const path = randomUUID();
  const node = { type: actionNode, typeVersion: 1, credential };
  const file = chain([
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
    },
    { ...node, name: 'Read accounts', parameters: { resource: 'account', operation: 'getAll' } },
    {
      ...node,
      name: CREATE,
      parameters: {
        resource: 'post',
        operation: 'create',
        content: 'Once',
        accounts: [1],
        scheduledAt: '2035-01-01T00:00:00.000Z',
      },
    },
  ]);
  await n8n.api.saveWorkflow(file, { [credential]: credentialId });
  await n8n.api.publishWorkflow(file.id);
  const url = `${n8n.origin}/webhook/${path}`;
  await n8n.api.listening(url);
  await fetch(url, { method: 'POST', headers: { connection: 'close' } });
  const id = await waitFor(
    'No execution began',
    async () => (await n8n.api.executions(file.id)).results[0]?.id,
  );
  expect((await n8n.api.finishedExecution(id)).status).toBe('error');

  const told = toldBy(await n8n.api.retryExecution(id));

  if (isSince('1.104')) {
    expect(told.status).toBe('success');
    expect(sandbox.store.posts).toHaveLength(1);
  } else {
    // n8n does not let the node see where the execution failed.
    expect(told.error?.description).toContain('this n8n is too old to keep a log');
    expect(sandbox.store.posts).toHaveLength(0);
  }
});
