import '../engine/instance';

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { originOf } from '../../sandbox/urls';
import { StoredCredentials } from '../engine/credentials';
import { storeDeduplication } from '../engine/deduplication';
import { userFolder } from '../engine/environment';
import { NodeTypesOf } from '../engine/node-types';
import { PublishedTrigger, type StartItems } from '../engine/published-trigger';
import { type EngineWorkflow, type Installed, runOnEngine } from '../engine/run';
import { repositoryDir } from '../n8n/paths';
import { readExample } from '../n8n/workflow-files';
import type { ExampleRun, Stage } from './round-trip';
import { newSecret, reacting, scheduling } from './workflows';

storeDeduplication();
process.once('exit', () => rmSync(userFolder, { recursive: true, force: true }));

/** The examples on the engine. `leave` stops listening to events, as often as it is called. */
export interface EngineStage extends Stage {
  leave: () => Promise<void>;
}

/** A node of n8n's own that the examples have, and that does nothing by itself. */
function idle(name: string, more: Partial<INodeTypeDescription> = {}): INodeType {
  return {
    description: {
      displayName: name,
      name,
      description: name,
      group: [],
      version: 1,
      defaults: {},
      inputs: [],
      outputs: [],
      properties: [],
      ...more,
    },
  };
}

const ofN8n: INodeType[] = [
  {
    ...idle('manualTrigger', { group: ['trigger'], outputs: ['main'] }),
    trigger: () => Promise.resolve(undefined),
  },
  idle('stickyNote'),
];

/** Loads the nodes and credential types of the built package as n8n loads those of a package. */
async function loadBuilt(): Promise<{
  packageName: string;
  nodes: INodeType[];
  types: ICredentialType[];
}> {
  const loader = new PackageDirectoryLoader(repositoryDir);
  await loader.loadAll();
  return {
    packageName: loader.packageName,
    nodes: Object.values(loader.nodeTypes).map(({ type }) => type as INodeType),
    types: Object.values(loader.credentialTypes).map(({ type }) => type),
  };
}

async function install(sandbox: Sandbox, webhookSecret: string): Promise<Installed> {
  const { packageName, nodes, types } = await loadBuilt();
  const { baseUrl, keys, workspaceId } = sandbox;
  const api = { baseUrl, apiKey: keys.pro, workspaceId: String(workspaceId) };
  const entries = {
    socialPublishing: { type: 'socialPublishingApi', data: api },
    socialPublishingWebhook: { type: 'socialPublishingWebhookApi', data: { webhookSecret } },
  };
  return {
    nodeTypes: new NodeTypesOf({ [packageName]: nodes, 'n8n-nodes-base': ofN8n }),
    credentials: await StoredCredentials.of(entries, types),
  };
}

/**
 * Sets the examples on n8n's engine in this process, with the built nodes. Their workflows and
 * credentials are those that n8n gets.
 */
export async function setOnEngine(sandbox: Sandbox): Promise<EngineStage> {
  const secret = newSecret();
  const installed = await install(sandbox, secret);
  const run = async (workflow: EngineWorkflow, items: StartItems[number]): Promise<ExampleRun> => {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const input = items.map(({ json }) => json);
    return { id: randomUUID(), ...(await runOnEngine(workflow, installed, { input, timezone })) };
  };

  const react = await readExample(reacting.example);
  const trigger = new PublishedTrigger(react, reacting.trigger, installed);
  const reactions: ExampleRun[] = [];
  const server = createServer((request, response) => {
    trigger
      .receive(request, response, async ([items = []]) => {
        reactions.push(await run(react, items));
      })
      .catch((error: unknown) => console.error(error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = sandbox.webhooks.add({
    url: originOf('127.0.0.1', (server.address() as AddressInfo).port),
    secret,
    events: ['post.published'],
  });

  const schedule = await readExample(scheduling.example);
  return {
    name: "n8n's engine",
    schedule: () => run(schedule, [{ json: {} }]),
    reactions: () => Promise.resolve(reactions),
    leave() {
      sandbox.webhooks.remove(endpoint.id);
      server.close().closeAllConnections();
      return Promise.resolve();
    },
  };
}
