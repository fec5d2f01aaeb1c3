import type {
  ICredentialDataDecryptedObject,
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';

import { idNumber } from '../parameters/values';
import { list } from '../service/http/body';
import { readCredential } from '../service/http/credential';
import { exchangeInTest } from '../service/http/request';
import { isSuccess } from '../service/http/response';
import { connectionFailure, type Sent, shapeFailure, statusFailure } from '../service/messages';
import type { Failure } from '../service/outcome';

const asText = ({ message, description }: Failure): string => `${message}. ${description}`;

/**
 * Asks the service for the accounts of the workspace, once.
 *
 * @returns what is wrong, in words for the user, or `undefined` when the credential works
 */
async function findProblem(
  context: ICredentialTestFunctions,
  data: ICredentialDataDecryptedObject,
): Promise<string | undefined> {
  const credential = readCredential(data);
  if ('problem' in credential) return `${credential.field} ${credential.problem}.`;
  const workspaceId = idNumber(credential.workspaceId);
  if (workspaceId === undefined) {
    return credential.workspaceId === ''
      ? 'Workspace ID is empty. Enter the number of your workspace.'
      : 'Workspace ID is not a workspace number. Enter a whole number, such as 1.';
  }
  const sent: Sent = { credential, writes: false };
  const exchange = exchangeInTest(context, credential);
  const result = await exchange({ method: 'GET', path: '/accounts', query: { workspaceId } });
  if (!result.responded) return asText(connectionFailure(result, sent));
  if (!isSuccess(result)) return asText(statusFailure(result, sent, Date.now()));
  const accounts = list('accounts');
  return accounts.read(result) === undefined
    ? asText(shapeFailure(result, accounts.field, sent))
    : undefined;
}

/**
 * Tests a `socialPublishingApi` credential with one real request, and tells a wrong key, a wrong
 * address and an unreachable service apart (docs/service.md, "Authentication").
 */
export async function socialPublishingApiTest(
  this: ICredentialTestFunctions,
  credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const problem = await findProblem(this, credential.data ?? {});
  return problem === undefined
    ? { status: 'OK', message: 'The service accepted the API key and the workspace' }
    : { status: 'Error', message: problem };
}
