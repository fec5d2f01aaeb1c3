import { createHash } from 'crypto';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { Gate } from './bounded';
import { RequestBudget } from './budget';
import { Client } from './client';
import { CREDENTIAL_TYPE, readCredential, type ServiceCredential } from './credential';
import { credentialFailure } from './failures';
import { exchangeThrough } from './http';
import { failed, type Outcome } from './outcome';

/** How long a list is kept for a picker, in milliseconds: the editor asks anew for each letter typed. */
const KEPT_FOR = 30_000;

interface Kept {
  readonly until: number;
  readonly list: Promise<Outcome<IDataObject[]>>;
}

const kept = new Map<string, Kept>();

/** What a kept list is found by: a hash, so that no API key lies about in memory. */
export const pickerKey = (
  { baseUrl, apiKey }: Pick<ServiceCredential, 'baseUrl' | 'apiKey'>,
  workspaceId: string,
  path: string,
): string =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey, workspaceId, path]))
    .digest('hex');

function forgetOld(now: number): void {
  for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
}

/**
 * Reads a list for a picker in the editor, at most once in half a minute for each workspace: typing
 * into a picker must not burn the quota. A failure is not kept.
 */
export async function readForPicker(
  context: ILoadOptionsFunctions,
  path: '/accounts' | '/agents',
  field: 'accounts' | 'agents',
): Promise<Outcome<IDataObject[]>> {
  const credential = readCredential(await context.getCredentials(CREDENTIAL_TYPE));
  if ('problem' in credential) return failed(credentialFailure(credential));
  const chosen = context.getCurrentNodeParameter('workspaceId');
  const given =
    typeof chosen === 'string' || typeof chosen === 'number' ? String(chosen).trim() : '';
  const workspaceId = given === '' || given.startsWith('=') ? credential.workspaceId : given;
  if (!/^\d+$/.test(workspaceId)) {
    return failed({
      message: 'The list needs a workspace',
      description:
        'Enter the number of the workspace in Workspace ID or in the credential, or choose By ID and enter the ID.',
      certainty: 'notSent',
    });
  }
  const now = Date.now();
  forgetOld(now);
  const key = pickerKey(credential, workspaceId, path);
  const known = kept.get(key);
  if (known !== undefined) return await known.list;
  const client = new Client(credential, exchangeThrough(context, credential), {
    gate: new Gate(1),
    budget: new RequestBudget(undefined),
    cancelled: undefined,
  });
  const list = client.readList({
    kind: 'list',
    path,
    query: { workspaceId: Number(workspaceId) },
    field,
    take: Infinity,
  });
  kept.set(key, { until: now + KEPT_FOR, list });
  const outcome = await list;
  if (!outcome.ok) kept.delete(key);
  return outcome;
}
