import type { ICredentialDataDecryptedObject as Decrypted, IExecuteFunctions } from 'n8n-workflow';

import {
  CREDENTIAL_TYPE,
  isSameForAllItems,
  readCredential,
  type ServiceCredential,
} from '../service/http/credential';
import { inParallel } from '../service/inParallel';
import { FieldError } from './refusal';

/** How many credentials are resolved at the same time, as n8n reads each from its database. */
const CONCURRENCY = 8;

/** Gives the credential of an item, or throws what is wrong with it. */
type ReadCredential = () => ServiceCredential;

/** @throws FieldError for a credential that cannot be used, or what n8n threw instead of it */
function usableCredential(resolved: PromiseSettledResult<Decrypted>): ServiceCredential {
  if (resolved.status === 'rejected') throw resolved.reason;
  const credential = readCredential(resolved.value);
  if (!('problem' in credential)) return credential;
  const { name, field, problem, solution: hint } = credential;
  throw new FieldError(`credential.${name}`, `${field} (in the credential)`, { problem, hint });
}

/** Resolves the credential of each of `count` items; where it holds no expressions, only once. */
export async function resolveCredentials(
  context: IExecuteFunctions,
  count: number,
): Promise<ReadCredential[]> {
  const resolve = async (index: number): Promise<PromiseSettledResult<Decrypted>> =>
    (await Promise.allSettled([context.getCredentials(CREDENTIAL_TYPE, index)]))[0];
  const first = await resolve(0);
  const resolved = new Array<typeof first>(count).fill(first);
  if (first.status === 'rejected' || !isSameForAllItems(first.value)) {
    await inParallel([...resolved.keys()].slice(1), CONCURRENCY, async (index) => {
      resolved[index] = await resolve(index);
      return true;
    });
  }
  return resolved.map((one) => () => usableCredential(one));
}
