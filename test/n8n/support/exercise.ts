import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Fault, startSandbox } from '../../../sandbox';
import { forgedDelivery, signedDelivery } from '../../../scripts/load/deliveries';
import { type DeliveryRequest, send } from '../../../scripts/load/send';
import { chain } from '../../../scripts/n8n/chain';
import { N8nApiError, webhookUrl, type WorkflowFile } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { exampleNames, readExample } from '../../../scripts/n8n/workflow-files';
import type { Place } from '../../support/leaks';
import { type N8nAddress, testUrlStopped, TRIGGER, TriggeredWorkflow } from '../trigger/workflows';
import { actionNode, triggerNode } from './bench';

const START = 'Start';

/** One run of each operation. */
const operations: Array<INodeParameters & { resource: string; operation: string }> = [
  { resource: 'account', operation: 'getAll', options: { includeQuota: true } },
  { resource: 'agent', operation: 'getAll' },
  { resource: 'analytics', operation: 'get', period: '7d' },
  { resource: 'post', operation: 'getAll', limit: 2 },
  { resource: 'post', operation: 'create', content: 'Hello', accounts: [1], publish: 'now' },
  { resource: 'agent', operation: 'create', name: 'Scout', type: 'seo' },
  {
    resource: 'agent',
    operation: 'update',
    agentId: { __rl: true, mode: 'id', value: '1' },
    updateFields: { isActive: true },
  },
];

/** What a careless or broken service may send back. */
const faults = (secret: string): Fault[] => [
  { kind: 'status', status: 401, body: { error: secret } },
  { kind: 'status', status: 422, body: { message: `Bearer ${secret} is bad` } },
  { kind: 'status', status: 500, body: `<p>Authorization: Bearer ${secret}</p>` },
  { kind: 'status', status: 503, body: { detail: encodeURIComponent(secret) } },
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'malformedJson' },
  { kind: 'reset' },
  { kind: 'wrongShape', body: { sent: secret } },
];

const CREDENTIAL_TESTS = 'Credential tests';
const PICKERS = 'Pickers';
const RESPONSES = 'Responses to deliveries';
export const EXECUTIONS = 'Execution data';
export const WORKFLOWS = 'Exported workflows';

const placeOf = (kind: string, name: string, content: unknown): Place => ({
  kind,
  name,
  content: typeof content === 'string' ? content : JSON.stringify(content),
});

/** A secret that is easy to recognize, with characters that encodings change. */
const recognizable = (name: string): string => `leak-${name}+/=&~${randomUUID()}`;

/** An n8n in which everything was exercised. */
export interface Exercised {
  /** The secrets by name. None of them may be found anywhere. */
  secrets: Record<string, string>;
  /** What n8n gave away through its REST API: executions, workflows, credential tests, responses. */
  places: Place[];
}

/**
 * Exercises the nodes with recognizable secrets: each operation with each fault of the service, the
 * credential tests, the pickers, all examples, and accepted and rejected deliveries.
 */
export async function exercise(n8n: N8nAddress): Promise<Exercised> {
  const { api } = n8n;
  const sandbox = await startSandbox();
  const apiKey = recognizable('api-key');
  const webhookSecret = recognizable('webhook-secret');
  const otherSecret = recognizable('other-secret');
  sandbox.store.addKey({ name: 'Leak search', plan: 'agency', key: apiKey });
  const [account] = sandbox.store.accounts;
  const tokens = { accessToken: recognizable('access'), refreshToken: recognizable('refresh') };
  if (account) Object.assign(account, tokens);
  const places: Place[] = [];
  const keep = (kind: string, name: string, content: unknown) =>
    places.push(placeOf(kind, name, content));

  try {
    const service = {
      name: `Service ${randomUUID()}`,
      type: 'socialPublishingApi',
      data: { baseUrl: sandbox.baseUrl, apiKey, workspaceId: String(sandbox.workspaceId) },
    };
    const endpoint = {
      name: `Endpoint ${randomUUID()}`,
      type: 'socialPublishingWebhookApi',
      data: { webhookSecret, otherSecrets: otherSecret },
    };
    const credentialIds = {
      socialPublishingApi: await api.saveCredential(service),
      socialPublishingWebhookApi: await api.saveCredential(endpoint),
    };
    for (const credential of [service, endpoint]) {
      const id = credentialIds[credential.type as keyof typeof credentialIds];
      keep(CREDENTIAL_TESTS, credential.type, await api.testCredential(id, credential));
    }

    const run = async (name: string, parameters: INodeParameters, input: IDataObject = {}) => {
      const workflow = oneNode(parameters, input);
      await api.saveWorkflow(workflow, credentialIds);
      keep(EXECUTIONS, name, (await api.runWorkflow(workflow.id, START)).raw);
      keep(WORKFLOWS, name, await api.workflow(workflow.id));
    };
    for (const parameters of operations) {
      const name = `${parameters.resource} ${parameters.operation}`;
      await run(name, parameters);
      for (const fault of faults(apiKey)) {
        sandbox.faults.clear();
        sandbox.faults.add(fault);
        await run(`${name}, ${fault.kind}`, parameters);
      }
      sandbox.faults.clear();
    }
    for (const fault of faults(apiKey)) {
      sandbox.faults.add({ ...fault, times: 1 });
      const id = credentialIds.socialPublishingApi;
      keep(CREDENTIAL_TESTS, fault.kind, await api.testCredential(id, service));
      sandbox.faults.clear();
    }
    for (const methodName of ['searchAccounts', 'searchAgents']) {
      for (const fault of [undefined, ...faults(apiKey)]) {
        if (fault) sandbox.faults.add(fault);
        keep(
          PICKERS,
          `${methodName}, ${fault?.kind ?? 'no fault'}`,
          await pick(n8n, credentialIds.socialPublishingApi, methodName),
        );
        sandbox.faults.clear();
      }
    }

    const deliveries: Array<[string, DeliveryRequest]> = [
      ['accepted', signedDelivery(webhookSecret)],
      ['accepted by the other secret', signedDelivery(otherSecret)],
      ['forged', forgedDelivery()],
      ['signed, not JSON', { ...signedDelivery(webhookSecret), body: Buffer.from('{') }],
      ['unsigned', { headers: {}, body: Buffer.from('{}') }],
    ];
    const published = await TriggeredWorkflow.save(n8n, credentialIds.socialPublishingWebhookApi, {
      events: ['post.published'],
    });
    await published.publish();
    for (const [name, delivery] of deliveries) {
      keep(RESPONSES, name, await send(published.productionUrl, delivery));
    }
    await api.executionsEnded(published.file.id);
    for (const id of await published.executionIds()) {
      keep(EXECUTIONS, TRIGGER, (await api.finishedExecution(id)).raw);
    }

    for (const file of exampleNames()) {
      const example = await readExample(file);
      // With its pinned sample, a trigger would run at once instead of listening.
      const workflow = { ...example, id: randomUUID(), pinData: {} };
      await api.saveWorkflow(workflow, credentialIds);
      keep(WORKFLOWS, file, await api.workflow(workflow.id));
      for (const { name, type } of workflow.nodes) {
        if (type === 'n8n-nodes-base.manualTrigger' || type === 'n8n-nodes-base.scheduleTrigger') {
          keep(EXECUTIONS, file, (await api.runWorkflow(workflow.id, name)).raw);
        }
        if (type === triggerNode) {
          const url = webhookUrl(api.origin, workflow, name, 'test');
          // A refused delivery ends a test, too.
          for (const [, delivery] of deliveries) {
            await api.listenForTestEvent(workflow.id, name);
            keep(RESPONSES, file, await send(url, delivery));
            await api.stopListening(workflow.id);
            await testUrlStopped(url);
          }
          await api.executionsEnded(workflow.id);
          const { results } = await api.executions(workflow.id, 100);
          for (const { id } of results) {
            keep(EXECUTIONS, `${file}, a test`, (await api.finishedExecution(id)).raw);
          }
        }
      }
    }
  } finally {
    await sandbox.close();
  }
  return { secrets: { apiKey, webhookSecret, otherSecret, ...tokens }, places };
}

function oneNode(parameters: INodeParameters, input: IDataObject): WorkflowFile {
  const manual = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
  const workflow = chain([
    { name: START, ...manual },
    {
      name: 'Run',
      type: actionNode,
      typeVersion: 1,
      parameters,
      credential: 'socialPublishingApi',
    },
  ]);
  return { ...workflow, pinData: { [START]: [{ json: input }] } };
}

async function pick({ api }: N8nAddress, id: string, methodName: string): Promise<unknown> {
  try {
    return await api.searchList({
      nodeType: actionNode,
      path: 'parameters.socialAccountId',
      methodName,
      parameters: { resource: 'post', operation: 'create' },
      credentials: { socialPublishingApi: { id, name: 'Service' } },
    });
  } catch (error) {
    if (error instanceof N8nApiError) return error.body;
    throw error;
  }
}

/**
 * Plants a text in an item and in the address of a request, to check that a search would find it.
 *
 * @param text with nothing that an address would encode
 * @param logFiles the logs of all processes of this n8n, one of which the text gets into
 * @returns what n8n gives away of it through its REST API
 */
export async function plant(
  { api, origin }: N8nAddress,
  text: string,
  logFiles: string[],
): Promise<Place[]> {
  const workflow = oneNode({ resource: 'account', operation: 'getAll' }, { text });
  const [start] = workflow.nodes;
  const planted = { ...workflow, nodes: start ? [start] : [], connections: {} };
  await api.saveWorkflow(planted, {});
  const { raw } = await api.runWorkflow(planted.id, START);
  // n8n logs the address of a webhook that does not exist, and answers before the log is written.
  await send(`${origin}/webhook/${text}`, { headers: {}, body: Buffer.from('') });
  await waitFor('n8n did not log the address', async () => {
    const logs = await Promise.all(logFiles.map((file) => readFile(file)));
    return logs.some((log) => log.includes(text)) || undefined;
  });
  return [
    placeOf(EXECUTIONS, 'planted', raw),
    placeOf(WORKFLOWS, 'planted', await api.workflow(planted.id)),
  ];
}
