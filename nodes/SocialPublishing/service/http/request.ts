import type {
  ICredentialTestFunctions,
  IDataObject,
  IExecuteFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
} from 'n8n-workflow';

import { readConnectionError } from './connectionError';
import { CREDENTIAL_TYPE, type ServiceCredential } from './credential';
import { type ExchangeResult, type FullResponse, readResponse } from './response';
import { RESPONSE_TIMEOUT, TEST_TIMEOUT } from './timeouts';

export interface HttpRequest {
  readonly method: IHttpRequestMethods;
  /** Relative to `{base_url}`. */
  readonly path: string;
  readonly query?: IDataObject;
  readonly body?: IDataObject;
}

/** One exchange over HTTP; resolves in every case. */
export type Exchange = (request: HttpRequest) => Promise<ExchangeResult>;

const headersOf = (request: HttpRequest): IDataObject => ({
  Accept: 'application/json',
  ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
});

/**
 * Waits for an exchange, but no longer than so many milliseconds: n8n's helpers wait forever for
 * some answers, such as 101, and know of no signal but that of the execution.
 */
async function withinTime(
  milliseconds: number,
  response: Promise<unknown>,
): Promise<ExchangeResult> {
  const deadline = AbortSignal.timeout(milliseconds);
  let hasBegun = false;
  const exchange = response.then(async (full) => {
    hasBegun = true;
    return await readResponse(full as FullResponse, deadline);
  }, readConnectionError);
  const isOver = new Promise<ExchangeResult>((resolve) => {
    deadline.addEventListener('abort', () => {
      if (!hasBegun) resolve(readConnectionError({ code: 'ETIMEDOUT' }));
    });
  });
  return await Promise.race([exchange, isOver]);
}

/**
 * Sends requests through n8n's HTTP helper and authentication, so that proxies, limits on domains
 * and the cancel signal hold. Redirects are not followed: a POST would become a GET, and the key
 * would travel on.
 */
export function exchangeWith(
  context: IExecuteFunctions | ILoadOptionsFunctions,
  credential: ServiceCredential,
): Exchange {
  const decrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data: credential.data };
  return async (request) =>
    await withinTime(
      RESPONSE_TIMEOUT,
      context.helpers.httpRequestWithAuthentication.call(
        context,
        CREDENTIAL_TYPE,
        {
          method: request.method,
          url: `${credential.baseUrl}${request.path}`,
          headers: headersOf(request),
          ...(request.query === undefined ? {} : { qs: request.query }),
          ...(request.body === undefined ? {} : { body: request.body }),
          encoding: 'stream',
          returnFullResponse: true,
          ignoreHttpStatusErrors: true,
          disableFollowRedirect: true,
          timeout: RESPONSE_TIMEOUT,
        },
        { credentialsDecrypted: decrypted },
      ),
    );
}

/** Sends a GET in the test of a credential, where n8n offers only its old helper. */
export const exchangeInTest =
  (context: ICredentialTestFunctions, { baseUrl, apiKey }: ServiceCredential): Exchange =>
  async ({ method, path, query }) =>
    await withinTime(
      TEST_TIMEOUT,
      context.helpers.request({
        method,
        uri: `${baseUrl}${path}`,
        qs: query,
        headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
        resolveWithFullResponse: true,
        simple: false,
        followRedirect: false,
        timeout: TEST_TIMEOUT,
        useStream: true,
      }),
    );
