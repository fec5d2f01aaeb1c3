import type {
  ICredentialDataDecryptedObject,
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';

import { getAll as accounts } from '../operations/account/getAll.operation';
import { idNumber } from '../parameters/values';
import {
  connectionFailure,
  type SentRequest,
  shapeFailure,
  statusFailure,
} from '../service/failures';
import { list } from '../service/http/body';
import { readCredential } from '../service/http/credential';
import { exchangeInTest } from '../service/http/request';
import { isSuccess } from '../service/http/response';
import type { Failure } from '../service/outcome';
import { addressProblem } from './addressProblem';

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
  if ('problem' in credential) {
    const { field, problem, solution } = credential;
    return `${field} ${problem}. ${solution}`;
  }
  const workspaceId = idNumber(credential.workspaceId);
  if (workspaceId === undefined) {
    return credential.workspaceId === ''
      ? 'Workspace ID is empty. Enter the number of your workspace.'
      : 'Workspace ID is not a workspace number. Enter a whole number, such as 1.';
  }
  const sent: SentRequest = { credential, writes: false };
  const exchange = exchangeInTest(context, credential);
  const { method, path, field } = accounts.endpoint;
  const result = await exchange({ method, path, query: { workspaceId } });
  const body = list(field);
  if (result.responded && isSuccess(result) && body.read(result) !== undefined) return undefined;
  const address = addressProblem(result, credential.baseUrl);
  if (address !== undefined) return address;
  if (!result.responded) return asText(connectionFailure(result, sent));
  return isSuccess(result)
    ? asText(shapeFailure(result, field, sent))
    : asText(statusFailure(result, sent, Date.now()));
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
