import type {
  IDataObject,
  IExecuteFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE, type ServiceCredential } from './credential';
import type { Path } from './requests';

/** How long the service may take for one answer, in milliseconds. */
const ANSWER_TIMEOUT = 60_000;

/** Error codes of Node.js for a name that was not found or a connection that was refused. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Error codes of Node.js for a certificate that is not trusted, found before anything is sent. */
export const UNTRUSTED = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

export interface HttpRequest {
  readonly method: Extract<IHttpRequestMethods, 'GET' | 'POST'>;
  readonly path: Path;
  readonly query?: IDataObject;
  readonly body?: IDataObject;
}

/** The answer of the service, its body as text: what it holds is read in `answer.ts`. */
export interface HttpAnswer {
  readonly answered: true;
  readonly status: number;
  readonly statusText: string;
  /** Header names in lowercase. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** No complete answer came. */
export interface NoAnswer {
  readonly answered: false;
  /** The error code of Node.js, such as `ECONNRESET`; empty when there is none. */
  readonly code: string;
  /** Whether it is certain that the service never saw the request. */
  readonly neverSent: boolean;
}

/** One exchange over HTTP; resolves in every case. */
export type Exchange = (request: HttpRequest) => Promise<HttpAnswer | NoAnswer>;

const headersOf = (request: HttpRequest): IDataObject => ({
  Accept: 'application/json',
  ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
});

/** The first text under a name in an error or its causes; empty when there is none. */
function inCauses(error: unknown, name: 'code' | 'syscall'): string {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    const { [name]: value, cause } = current as Record<string, unknown>;
    if (typeof value === 'string' && value !== '') return value;
    current = cause;
  }
  return '';
}

/**
 * Reads the error that n8n's HTTP helper threw; its text may quote the request, so it is not passed
 * on. A host may also become unreachable after the request: the system call tells.
 */
export function noAnswer(error: unknown): NoAnswer {
  const code = inCauses(error, 'code');
  const neverSent =
    inCauses(error, 'syscall') === 'connect' || NEVER_CONNECTED.has(code) || UNTRUSTED.has(code);
  return { answered: false, code, neverSent };
}

interface FullResponse {
  readonly statusCode: number;
  readonly statusMessage?: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: unknown;
}

/** Reads the full response that both of n8n's HTTP helpers give, whose body is text. */
export function httpAnswer(response: FullResponse): HttpAnswer {
  return {
    answered: true,
    status: response.statusCode,
    statusText: response.statusMessage ?? '',
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [
        name.toLowerCase(),
        Array.isArray(value) ? value.join(', ') : value,
      ]),
    ),
    text: typeof response.body === 'string' ? response.body : '',
  };
}

/**
 * Sends requests through n8n's HTTP helper with n8n's own authentication, so that proxies, limits on
 * domains and the cancel signal of the execution hold.
 *
 * Redirects are not followed: a redirected POST would become a GET, and the key would travel on.
 */
export function exchangeThrough(
  context: IExecuteFunctions | ILoadOptionsFunctions,
  credential: ServiceCredential,
): Exchange {
  const decrypted = {
    id: '',
    name: '',
    type: CREDENTIAL_TYPE,
    data: credential.data as Record<string, string>,
  };
  return async (request) =>
    await context.helpers.httpRequestWithAuthentication
      .call(
        context,
        CREDENTIAL_TYPE,
        {
          method: request.method,
          url: `${credential.baseUrl}${request.path}`,
          headers: headersOf(request),
          ...(request.query === undefined ? {} : { qs: request.query }),
          ...(request.body === undefined ? {} : { body: request.body }),
          encoding: 'text',
          returnFullResponse: true,
          ignoreHttpStatusErrors: true,
          disableFollowRedirect: true,
          timeout: ANSWER_TIMEOUT,
        },
        { credentialsDecrypted: decrypted },
      )
      .then((response: FullResponse) => httpAnswer(response), noAnswer);
}
