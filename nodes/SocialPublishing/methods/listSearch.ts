import { createHash } from 'crypto';
import type {
  IDataObject,
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodePropertyOptions,
} from 'n8n-workflow';

import { WORKFLOW_ZONE } from '../operations/post/create.fields';
import { accountLabel, isActive, withActivity } from '../parameters/accounts';
import { idNumber, isEmpty } from '../parameters/values';
import { workflowZoneLabel, zoneList, zoneOf } from '../parameters/zones';
import { operationError } from '../run/errors';
import { Client } from '../service/client';
import { credentialFailure } from '../service/failures';
import {
  CREDENTIAL_TYPE,
  readCredential,
  type ServiceCredential,
} from '../service/http/credential';
import { exchangeWith } from '../service/http/request';
import { Limiter } from '../service/limiter';
import { failed, type Outcome } from '../service/outcome';
import { RequestBudget } from '../service/quota/budget';
import type { ReadEndpoint } from '../service/requests';

/** How long a picker keeps its list, in milliseconds: the editor asks again for each letter typed. */
const CACHED_FOR = 30_000;

interface CachedList {
  readonly until: number;
  readonly records: Promise<Outcome<IDataObject[]>>;
}

const cached = new Map<string, CachedList>();

/** The key of a cached list: a hash, so that no API key stays in memory. */
export const pickerKey = (
  { baseUrl, apiKey }: Pick<ServiceCredential, 'baseUrl' | 'apiKey'>,
  workspaceId: number,
  path: string,
): string =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey, workspaceId, path]))
    .digest('hex');

function forgetOld(now: number): void {
  for (const [key, { until }] of cached) if (until <= now) cached.delete(key);
}

/**
 * The workspace of the node, else of the credential, or where to enter one. A picker cannot resolve an
 * expression.
 */
function workspaceOf(
  context: ILoadOptionsFunctions,
  credential: ServiceCredential,
): { id: number } | { place: string } {
  const own = context.getCurrentNodeParameter('options.workspaceId');
  const isExpression = typeof own === 'string' && own.startsWith('=');
  const isOwn = !isEmpty(own) && !isExpression;
  const id = idNumber(isOwn ? own : credential.workspaceId);
  return id === undefined
    ? { place: isOwn ? 'the option Workspace ID of this node' : 'the credential' }
    : { id };
}

/**
 * Reads a list for a picker, at most once in half a minute for each workspace: typing into a picker
 * must not use up the quota. A failure is not cached.
 */
async function readList(
  context: ILoadOptionsFunctions,
  endpoint: ReadEndpoint,
): Promise<Outcome<IDataObject[]>> {
  const credential = readCredential(await context.getCredentials(CREDENTIAL_TYPE));
  if ('problem' in credential) return failed(credentialFailure(credential));
  const workspace = workspaceOf(context, credential);
  if ('place' in workspace) {
    return failed({
      code: 'noWorkspace',
      message: 'The list needs a workspace',
      description: `Enter the number of the workspace in ${workspace.place}.`,
      certainty: 'notSent',
    });
  }
  const now = Date.now();
  forgetOld(now);
  const key = pickerKey(credential, workspace.id, endpoint.path);
  const known = cached.get(key);
  if (known !== undefined) return await known.records;
  const client = new Client(credential, exchangeWith(context, credential), {
    limiter: new Limiter(1),
    budget: new RequestBudget(undefined),
    zone: context.getTimezone(),
    cancelled: undefined,
  });
  const records = client.read(endpoint, { query: { workspaceId: workspace.id } });
  cached.set(key, { until: now + CACHED_FOR, records });
  const outcome = await records;
  if (!outcome.ok) cached.delete(key);
  return outcome;
}

/** A record as a picker offers it. */
interface Choice {
  readonly id: number;
  readonly label: string;
  readonly isActive: boolean;
}

/** @throws NodeOperationError when the list cannot be read */
async function readChoices(
  context: ILoadOptionsFunctions,
  endpoint: ReadEndpoint,
  describe: (record: IDataObject) => string,
): Promise<Choice[]> {
  const outcome = await readList(context, endpoint);
  if (!outcome.ok) throw operationError(context.getNode(), outcome.failure);
  return outcome.value
    .flatMap((record): Choice[] => {
      const id = idNumber(record.id);
      const label = withActivity(describe(record), record);
      return id === undefined ? [] : [{ id, label, isActive: isActive(record) }];
    })
    .sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.label.localeCompare(b.label));
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a choice is found by what was typed: all words of it in its label, or its whole ID. */
function isFound({ id, label }: Choice, filter: string | undefined): boolean {
  const typed = plain(filter ?? '').trim();
  return String(id) === typed || typed.split(/\s+/).every((word) => plain(label).includes(word));
}

async function search(
  choices: Promise<Choice[]>,
  filter: string | undefined,
): Promise<INodeListSearchResult> {
  const found = (await choices).filter((choice) => isFound(choice, filter));
  return { results: found.map(({ id, label }) => ({ name: label, value: id })) };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const describeAgent = ({ id, name, type }: IDataObject): string =>
  `${textOf(name) || `ID ${textOf(id)}`} (${textOf(type) || 'unknown type'})`;

const accountChoices = (context: ILoadOptionsFunctions): Promise<Choice[]> =>
  readChoices(context, { path: '/accounts', returns: 'list', field: 'accounts' }, accountLabel);

/** The accounts of the workspace for a picker of one (docs/service.md, "GET /accounts"). */
export async function searchAccounts(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await search(accountChoices(this), filter);
}

/** The accounts of the workspace for a picker of several, which n8n searches by their labels. */
export async function getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const choices = await accountChoices(this);
  return choices.map(({ id, label }) => ({ name: label, value: id }));
}

/** The agents of the workspace for a picker (docs/service.md, "GET /agents"). */
export async function searchAgents(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const endpoint = { path: '/agents', returns: 'list', field: 'agents' } as const;
  return await search(readChoices(this, endpoint, describeAgent), filter);
}

/**
 * The time zones: that of the workflow, as the empty value, UTC, and all others by their cities. n8n
 * searches their labels for what is typed.
 */
export function getTimeZones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const now = Date.now();
  // Some versions of n8n don't resolve the expression here. Then the name is left out.
  const workflow = this.getCurrentNodeParameter(WORKFLOW_ZONE.name);
  const isKnown = typeof workflow === 'string' && zoneOf(workflow) !== undefined;
  return Promise.resolve([
    { name: isKnown ? workflowZoneLabel(workflow, now) : "Workflow's zone", value: '' },
    ...zoneList(now).map(({ name, label }) => ({ name: label, value: name })),
  ]);
}
