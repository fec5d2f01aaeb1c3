import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { inParallel } from '../../transport/concurrency/inParallel';
import {
  CREDENTIAL_TYPE,
  readCredential,
  type ServiceCredential,
} from '../../transport/http/credential';
import { FieldError } from './fieldError';

/** How many credentials are resolved at the same time, as n8n reads each from its database. */
const CONCURRENCY = 8;

/** Gives the credential of an item, or throws what is wrong with it. */
export type ReadCredential = () => ServiceCredential;

/** @throws FieldError for a credential that cannot be used, or what n8n threw instead of it */
function usableCredential(
  resolved: PromiseSettledResult<ICredentialDataDecryptedObject>,
): ServiceCredential {
  if (resolved.status === 'rejected') throw resolved.reason;
  const credential = readCredential(resolved.value);
  if (!('problem' in credential)) return credential;
  const { field, problem } = credential;
  throw new FieldError(`${field} (in the credential)`, problem, 'Correct it in the credential.');
}

/**
 * Resolves the credential of each item: its fields may hold expressions.
 *
 * @param count how many items there are
 */
export async function resolveCredentials(
  context: IExecuteFunctions,
  count: number,
): Promise<ReadCredential[]> {
  const resolved: ReadCredential[] = [];
  await inParallel(new Array(count).keys(), CONCURRENCY, async (index) => {
    const [result] = await Promise.allSettled([context.getCredentials(CREDENTIAL_TYPE, index)]);
    resolved[index] = () => usableCredential(result);
    return true;
  });
  return resolved;
}
