import { createHash } from 'crypto';
import type {
  IDataObject,
  ILoadOptionsFunctions,
  INodeListSearchItems,
  INodeListSearchResult,
} from 'n8n-workflow';

import { operationError } from '../actions/errors';
import { idNumber, isEmpty } from '../actions/input/values';
import { Gate } from '../transport/bounded';
import { Client } from '../transport/client';
import { credentialFailure } from '../transport/failures';
import {
  CREDENTIAL_TYPE,
  readCredential,
  type ServiceCredential,
} from '../transport/http/credential';
import { exchangeWith } from '../transport/http/request';
import { failed, type Outcome } from '../transport/outcome';
import { RequestBudget } from '../transport/quota/budget';
import type { ReadEndpoint } from '../transport/requests';

/** How long a picker keeps its list, in milliseconds: the editor asks again for each letter typed. */
const KEPT_FOR = 30_000;

interface Kept {
  readonly until: number;
  readonly records: Promise<Outcome<IDataObject[]>>;
}

const kept = new Map<string, Kept>();

/** The key of a kept list: a hash, so that no API key stays in memory. */
export const pickerKey = (
  { baseUrl, apiKey }: Pick<ServiceCredential, 'baseUrl' | 'apiKey'>,
  workspaceId: number,
  path: string,
): string =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey, workspaceId, path]))
    .digest('hex');

function forgetOld(now: number): void {
  for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
}

/** The workspace of the node, else of the credential. A picker cannot resolve an expression. */
function workspaceOf(
  context: ILoadOptionsFunctions,
  credential: ServiceCredential,
): number | undefined {
  const own = context.getCurrentNodeParameter('workspaceId');
  const isExpression = typeof own === 'string' && own.startsWith('=');
  return idNumber(isEmpty(own) || isExpression ? credential.workspaceId : own);
}

/**
 * Reads a list for a picker, at most once in half a minute for each workspace: typing into a picker
 * must not use up the quota. A failure is not kept.
 */
async function readList(
  context: ILoadOptionsFunctions,
  endpoint: ReadEndpoint,
): Promise<Outcome<IDataObject[]>> {
  const credential = readCredential(await context.getCredentials(CREDENTIAL_TYPE));
  if ('problem' in credential) return failed(credentialFailure(credential));
  const workspaceId = workspaceOf(context, credential);
  if (workspaceId === undefined) {
    return failed({
      message: 'The list needs a workspace',
      description:
        'Enter the number of the workspace in Workspace ID or in the credential, or select By ID and enter the ID.',
      certainty: 'notSent',
    });
  }
  const now = Date.now();
  forgetOld(now);
  const key = pickerKey(credential, workspaceId, endpoint.path);
  const known = kept.get(key);
  if (known !== undefined) return await known.records;
  const client = new Client(credential, exchangeWith(context, credential), {
    gate: new Gate(1),
    budget: new RequestBudget(undefined),
    cancelled: undefined,
  });
  const records = client.read(endpoint, { query: { workspaceId } });
  kept.set(key, { until: now + KEPT_FOR, records });
  const outcome = await records;
  if (!outcome.ok) kept.delete(key);
  return outcome;
}

const matches = (text: string, filter: string | undefined): boolean =>
  text.toLowerCase().includes((filter ?? '').trim().toLowerCase());

async function search(
  context: ILoadOptionsFunctions,
  endpoint: ReadEndpoint,
  describe: (record: IDataObject) => string,
  filter: string | undefined,
): Promise<INodeListSearchResult> {
  const outcome = await readList(context, endpoint);
  if (!outcome.ok) throw operationError(context.getNode(), outcome.failure);
  return {
    results: outcome.value
      .flatMap((record): INodeListSearchItems[] => {
        const value = idNumber(record.id);
        return value === undefined ? [] : [{ name: describe(record), value }];
      })
      .filter(({ name }) => matches(name, filter))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

/** The first of the values that can be shown. */
const firstShown = (...values: unknown[]): string =>
  String(
    values.find(
      (value) => (typeof value === 'string' && value !== '') || typeof value === 'number',
    ),
  );

const inactive = ({ isActive }: IDataObject): string => (isActive === false ? ', inactive' : '');

const describeAccount = (account: IDataObject): string =>
  `${firstShown(account.displayName, account.platformUsername, account.id)} (${firstShown(account.platform, 'unknown platform')}${inactive(account)})`;

const describeAgent = (agent: IDataObject): string =>
  `${firstShown(agent.name, agent.id)} (${firstShown(agent.type, 'unknown type')}${inactive(agent)})`;

/** The accounts of the workspace for a picker (docs/service.md, "GET /accounts"). */
export async function searchAccounts(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const endpoint = { path: '/accounts', returns: 'list', field: 'accounts' } as const;
  return await search(this, endpoint, describeAccount, filter);
}

/** The agents of the workspace for a picker (docs/service.md, "GET /agents"). */
export async function searchAgents(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  const endpoint = { path: '/agents', returns: 'list', field: 'agents' } as const;
  return await search(this, endpoint, describeAgent, filter);
}
