import type { IDataObject, ICredentialTestFunctions } from 'n8n-workflow';

import { listBody, succeeded } from './answer';
import { readCredential } from './credential';
import { connectionFailure, shapeFailure, statusFailure, type Sent } from './failures';
import { httpAnswer, noAnswer } from './http';
import type { Failure } from './outcome';

const inWords = ({ message, description }: Failure): string => `${message}. ${description}`;

/**
 * Asks the service for the accounts of the default workspace, once.
 *
 * Without a default workspace the request names none: a 400 or 422 then shows that the address and
 * the key are right, as it is the missing workspace that the service refuses.
 *
 * @param data the decrypted credential
 * @returns what is wrong, in words for the user, or `undefined` when the credential works
 */
export async function probe(
  context: ICredentialTestFunctions,
  data: IDataObject,
): Promise<string | undefined> {
  const credential = readCredential(data);
  if ('problem' in credential) return `${credential.field} ${credential.problem}.`;
  const { workspaceId } = credential;
  if (workspaceId !== '' && !/^\d+$/.test(workspaceId)) {
    return `Default Workspace ID is "${workspaceId}", which is not a whole number.`;
  }
  const sent: Sent = { credential, writes: false };
  const result = await (
    context.helpers.request({
      method: 'GET',
      uri: `${credential.baseUrl}/accounts`,
      qs: workspaceId === '' ? {} : { workspaceId: Number(workspaceId) },
      headers: { Accept: 'application/json', Authorization: `Bearer ${credential.apiKey}` },
      resolveWithFullResponse: true,
      simple: false,
      followRedirect: false,
      timeout: 20_000,
    }) as Promise<Parameters<typeof httpAnswer>[0]>
  ).then(httpAnswer, noAnswer);
  if (!result.answered) return inWords(connectionFailure(result, sent));
  if (!succeeded(result)) {
    const workspaceIsMissing =
      workspaceId === '' && (result.status === 400 || result.status === 422);
    return workspaceIsMissing ? undefined : inWords(statusFailure(result, sent, Date.now()));
  }
  return listBody(result, 'accounts') === undefined
    ? inWords(shapeFailure(result, 'accounts', sent))
    : undefined;
}
