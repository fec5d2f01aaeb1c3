import { createHash } from 'crypto';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { idNumber, isEmpty } from '../parameters/values';
import { RequestBudget } from '../service/budget';
import { Client } from '../service/client';
import { credentialFailure } from '../service/failures';
import {
  CREDENTIAL_TYPE,
  readCredential,
  type ServiceCredential,
} from '../service/http/credential';
import { exchangeWith } from '../service/http/request';
import { Admission, Limiter } from '../service/limiter';
import { failed, type Outcome } from '../service/outcome';
import type { ReadEndpoint } from '../service/requests';

/** How long a list is cached, in milliseconds: the editor asks again for each letter typed. */
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

/** The node's workspace, else the credential's; a picker can't resolve an expression. */
function workspaceOf(
  context: ILoadOptionsFunctions,
  credential: ServiceCredential,
): { id: number } | { enterIn: string } {
  const own = context.getCurrentNodeParameter('options.workspaceId');
  const isExpression = typeof own === 'string' && own.startsWith('=');
  const isOwn = !isEmpty(own) && !isExpression;
  const id = idNumber(isOwn ? own : credential.workspaceId);
  return id === undefined
    ? { enterIn: isOwn ? 'the option Workspace ID of this node' : 'the credential' }
    : { id };
}

/** Reads a list for a picker, once in half a minute: typing must not use up the quota. */
export async function readList(
  context: ILoadOptionsFunctions,
  endpoint: ReadEndpoint,
): Promise<Outcome<IDataObject[]>> {
  const credential = readCredential(await context.getCredentials(CREDENTIAL_TYPE));
  if ('problem' in credential) return failed(credentialFailure(credential));
  const workspace = workspaceOf(context, credential);
  if ('enterIn' in workspace) {
    return failed({
      code: 'noWorkspace',
      message: 'The list needs a workspace',
      description: `Enter the number of the workspace in ${workspace.enterIn}.`,
      certainty: 'notSent',
    });
  }
  const now = Date.now();
  forgetOld(now);
  const key = pickerKey(credential, workspace.id, endpoint.path);
  const earlier = cached.get(key);
  if (earlier !== undefined) return await earlier.records;
  const client = new Client(credential, exchangeWith(context, credential), {
    admission: new Admission(new Limiter(), 1),
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
