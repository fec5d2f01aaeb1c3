import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { idNumber, isEmpty } from '../parameters/values';
import { RequestBudget } from '../service/budget';
import { Client } from '../service/client';
import { credentialFailure } from '../service/failures';
import { CREDENTIAL_TYPE, keyOf, readCredential } from '../service/http/credential';
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

/** By the hash of address and key, so that no API key stays in memory, workspace and path. */
const cached = new Map<string, CachedList>();

/** The option Workspace ID of the node, if it is filled in; a picker can't resolve an expression. */
function ownWorkspace(context: ILoadOptionsFunctions): unknown {
  const own = context.getCurrentNodeParameter('options.workspaceId');
  return isEmpty(own) || (typeof own === 'string' && own.startsWith('=')) ? undefined : own;
}

/** Reads a list for a picker, once in half a minute: typing must not use up the quota. */
export async function readList(
  context: ILoadOptionsFunctions,
  endpoint: ReadEndpoint,
): Promise<Outcome<IDataObject[]>> {
  const credential = readCredential(await context.getCredentials(CREDENTIAL_TYPE));
  if ('problem' in credential) return failed(credentialFailure(credential));
  const own = ownWorkspace(context);
  const workspaceId = idNumber(own ?? credential.workspaceId);
  if (workspaceId === undefined) {
    const place = own === undefined ? 'the credential' : 'the option Workspace ID of this node';
    return failed({
      code: 'noWorkspace',
      message: 'The list needs a workspace',
      description: `Enter the number of the workspace in ${place}.`,
      certainty: 'notSent',
    });
  }
  const now = Date.now();
  for (const [key, { until }] of cached) if (until <= now) cached.delete(key);
  const key = JSON.stringify([keyOf(credential), workspaceId, endpoint.path]);
  const earlier = cached.get(key);
  if (earlier !== undefined) return await earlier.records;
  const client = new Client(credential, exchangeWith(context, credential), {
    admission: new Admission(new Limiter(), 1),
    budget: new RequestBudget(undefined),
    zone: context.getTimezone(),
    cancelled: undefined,
  });
  const records = client.read(endpoint, { query: { workspaceId } });
  cached.set(key, { until: now + CACHED_FOR, records });
  const outcome = await records;
  if (!outcome.ok) cached.delete(key);
  return outcome;
}
