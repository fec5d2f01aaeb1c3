import type {
  ICredentialDataDecryptedObject,
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';

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
import { type ExchangeResult, isSuccess } from '../service/http/response';
import { isWebPage } from '../service/http/unexpectedBody';
import type { Failure } from '../service/outcome';
import { ACCOUNTS } from '../service/requests';

const WANTS_HTTPS = /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i;

/** Whether the response asks for the same request by https. */
const wantsHttps = (result: ExchangeResult, { host }: URL): boolean => {
  if (!result.responded) return false;
  const { status, text, headers } = result;
  return status >= 300 && status < 400
    ? (headers.location ?? '').toLowerCase().startsWith(`https://${host}/`)
    : WANTS_HTTPS.test(text);
};

/** Whether the service would never respond like this, whatever the key and the workspace. */
const isFromElsewhere = (result: ExchangeResult): boolean =>
  result.responded && (result.status < 400 || [404, 405].includes(result.status));

/**
 * What is wrong with an address that isn't the service's (docs/service.md, "Addresses"), as far as
 * one request that failed shows it; `undefined` when it may be right.
 */
export function addressProblem(result: ExchangeResult, baseUrl: string): string | undefined {
  const url = new URL(baseUrl);
  const { origin, host, pathname, protocol } = url;
  if (protocol === 'https:' && !result.responded && result.code === 'EPROTO') {
    return `The service at ${host} does not speak https. Begin the Base URL with http://, as in http://${host}${pathname}.`;
  }
  if (protocol === 'http:' && wantsHttps(result, url)) {
    return `The service at ${host} speaks https only. Begin the Base URL with https://, as in https://${host}${pathname}.`;
  }
  if (protocol === 'http:' && !result.responded && result.code === 'ECONNRESET') {
    return `The service at ${host} closed the connection. If it speaks https, begin the Base URL with https://, as in https://${host}${pathname}.`;
  }
  if (/\/api\/v\d+$/.test(pathname) || !isFromElsewhere(result)) return undefined;
  const [, upToVersion, rest] = /^(.*\/api\/v\d+)(\/.+)$/.exec(pathname) ?? [];
  if (upToVersion !== undefined) {
    return `The Base URL goes on after ${upToVersion}. Remove ${rest}.`;
  }
  const isPage = result.responded && (result.status < 400 || isWebPage(result.text));
  return isPage
    ? `The Base URL is the address of a web page, such as the dashboard. The address of the service ends in /api/v1, as in ${origin}/api/v1.`
    : `The Base URL does not end in /api/v1. Add it, as in ${baseUrl}/api/v1.`;
}

const asText = ({ message, description }: Failure): string => `${message}. ${description}`;

/** Asks for the accounts once. @returns what is wrong, or `undefined` when the credential works */
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
  const { method, path, field } = ACCOUNTS;
  const result = await exchange({ method, path, query: { workspaceId } });
  if (result.responded && isSuccess(result) && list(result, field) !== undefined) return undefined;
  const address = addressProblem(result, credential.baseUrl);
  if (address !== undefined) return address;
  if (!result.responded) return asText(connectionFailure(result, sent));
  return isSuccess(result)
    ? asText(shapeFailure(result, field, sent))
    : asText(statusFailure(result, sent, Date.now()));
}

/**
 * Tells a wrong key, a wrong address and an unreachable service apart (docs/service.md,
 * "Authentication"), with one real request.
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
