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
  const resolved: ReadCredential[] = [];
  const resolve = async (index: number): Promise<PromiseSettledResult<Decrypted>> => {
    const [result] = await Promise.allSettled([context.getCredentials(CREDENTIAL_TYPE, index)]);
    resolved[index] = () => usableCredential(result);
    return result;
  };
  const first = await resolve(0);
  if (first.status === 'fulfilled' && isSameForAllItems(first.value)) {
    const [read] = resolved as [ReadCredential];
    return new Array<ReadCredential>(count).fill(read);
  }
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
  await inParallel(others, CONCURRENCY, async (index) => {
    await resolve(index);
    return true;
  });
  return resolved;
}
