import { certaintyOf, PROXY_REFUSED } from './certainty';
import { isBlocked, isUntrusted, type NoResponse } from './http/connectionError';
import type { CredentialProblem, ServiceCredential } from './http/credential';
import type { HttpResponse } from './http/response';
import { describeBody, errorText, type Redact, shorten } from './http/unexpectedBody';
import {
  breakdownWords,
  certificateWords,
  credentialWords,
  inZone,
  noResponseWords,
  proxyRefusedWords,
  proxyUnreachableWords,
  quotaUsedUpWords,
  redirectWords,
  type RefusalCode,
  refusalWords,
  shapeWords,
  tooManyRequestsWords,
  unreachableWords,
  type Words,
} from './messages';
import type { Failure } from './outcome';
import { availableFrom, quotaOf, remainingRequests } from './quota';
import { LONGEST_WAIT } from './retry';

/** What was sent. */
export interface SentRequest {
  readonly credential: ServiceCredential;
  readonly writes: boolean;
  /** The time zone to give times in: the workflow's. UTC when absent. */
  readonly zone?: string;
}

/** What happened, as a word for machines and in words for people. */
type Told = Words & Pick<Failure, 'code'>;

/** The failure for a credential that cannot be used. */
export const credentialFailure = (problem: CredentialProblem): Failure => ({
  code: 'invalidCredential',
  ...credentialWords(problem),
  certainty: 'notSent',
});

/** Hides the API key, also as JSON and URLs write it. */
const keyRedactor =
  ({ credential: { apiKey } }: SentRequest): Redact =>
  (text) =>
    [apiKey, apiKey.replaceAll('/', '\\/'), encodeURIComponent(apiKey)].reduce(
      (hidden, key) => hidden.replaceAll(key, '[API key]'),
      text,
    );

/** When the service will take requests again, if that is not now already; Unix milliseconds. */
function laterTime(response: HttpResponse, now: number): number | undefined {
  const from = availableFrom(response, now);
  return from !== undefined && from > now ? from : undefined;
}

/** What a status means; the same for reads and writes. */
const REFUSALS: Readonly<Record<number, RefusalCode>> = {
  400: 'invalidValues',
  401: 'keyNotAccepted',
  402: 'paymentRequired',
  403: 'notAllowed',
  404: 'notFound',
  405: 'wrongAddress',
  409: 'conflict',
  413: 'tooLarge',
  422: 'invalidValues',
};

const isUsedUp = (response: HttpResponse): boolean =>
  response.status === 429 && remainingRequests(quotaOf(response)) === 0;

/** What a response tells whose status is not a success. */
function told(response: HttpResponse, sent: SentRequest, now: number): Told {
  const { status, headers } = response;
  if (status === PROXY_REFUSED) return { code: 'proxyRefused', ...proxyRefusedWords(status) };
  const { location } = headers;
  const redact = keyRedactor(sent);
  const from = laterTime(response, now);
  // A read is judged as a write would be: a breakdown and a refusal are told apart for both.
  const isBreakdown = certaintyOf(response, true) === 'uncertain';
  const facts = {
    status,
    baseUrl: sent.credential.baseUrl,
    says: errorText(response, redact),
    until: from === undefined ? undefined : inZone(from, sent.zone),
    target: location === undefined ? undefined : shorten(redact(location)),
    mayHaveActed: sent.writes && isBreakdown,
  };
  if (status >= 300 && status < 400) return { code: 'redirected', ...redirectWords(facts) };
  if (isBreakdown) return { code: 'serviceFailed', ...breakdownWords(facts) };
  if (isUsedUp(response)) return { code: 'quotaUsedUp', ...quotaUsedUpWords(facts) };
  if (status === 429) return { code: 'tooManyRequests', ...tooManyRequestsWords(facts) };
  const code = REFUSALS[status] ?? 'refused';
  return { code, ...refusalWords(code, facts) };
}

/** Whether every further request would get this response, for longer than is waited for. */
function holdsForAll(response: HttpResponse, now: number): boolean {
  const { status } = response;
  if (status === 401 || status === PROXY_REFUSED || isUsedUp(response)) return true;
  const from = laterTime(response, now);
  return (status === 429 || status === 503) && from !== undefined && from - now > LONGEST_WAIT;
}

/** Of a status that is no success (docs/service.md, "Errors"); `now` is in Unix milliseconds. */
export const statusFailure = (response: HttpResponse, sent: SentRequest, now: number): Failure => ({
  ...told(response, sent, now),
  certainty: certaintyOf(response, sent.writes),
  httpCode: response.status,
  ...(holdsForAll(response, now) ? { closesCredential: true } : {}),
});

/** The failure for a success whose body is not the documented one (docs/service.md, "Success"). */
export function shapeFailure(response: HttpResponse, field: string, sent: SentRequest): Failure {
  const { status } = response;
  const certainty = certaintyOf(response, sent.writes);
  const came = describeBody(response, field, keyRedactor(sent));
  const mayHaveActed = certainty === 'uncertain';
  const { baseUrl } = sent.credential;
  return {
    code: 'unexpectedResponse',
    ...shapeWords(came, { status, baseUrl, mayHaveActed }),
    certainty,
    httpCode: status,
  };
}

/** The failure for records of another workspace than was asked for (docs/service.md, "Success"). */
export const otherWorkspaceFailure = (other: number, asked: number): Failure => ({
  code: 'otherWorkspace',
  message: `The service answered for workspace ${other} instead of ${asked}`,
  description:
    'Run this again. If it happens again, tell the operator of the service, or of the proxy in front of it.',
  certainty: 'failed',
});

/** The failure for requests that are not sent any more because the execution was stopped. */
export const CANCELED: Failure = {
  code: 'canceled',
  message: 'The execution was canceled',
  description:
    "No further request was sent. To go on, retry this execution with n8n's API: the editor offers no Retry here.",
  certainty: 'notSent',
};

/** The failure for requests that are not sent any more because another one ended the run. */
export const STOPPED: Failure = {
  code: 'stopped',
  message: 'The run was stopped',
  description:
    'Nothing was sent for this item, because another one failed. Correct that one, and retry this execution.',
  certainty: 'notSent',
};

/** The proxy that a connection was to go to; `undefined` where it was the service. */
function proxyOf({ peer }: NoResponse, { baseUrl }: ServiceCredential): string | undefined {
  if (peer === undefined) return undefined;
  const { protocol, hostname, port } = new URL(baseUrl);
  if (peer.port === undefined) return peer.host === hostname ? undefined : peer.host;
  const ofService = Number(port) || (protocol === 'https:' ? 443 : 80);
  return peer.port === ofService ? undefined : `${peer.host}:${peer.port}`;
}

/** The failure for a request that got no complete response. */
export function connectionFailure(result: NoResponse, sent: SentRequest): Failure {
  const { baseUrl } = sent.credential;
  const certainty = certaintyOf(result, sent.writes);
  const facts = {
    baseUrl,
    nodeCode: result.code,
    isBlocked: isBlocked(result),
    mayHaveActed: certainty === 'uncertain',
  };
  const proxy = proxyOf(result, sent.credential);
  if (proxy !== undefined) {
    return { code: 'proxyUnreachable', ...proxyUnreachableWords(proxy, facts), certainty };
  }
  if (isUntrusted(result)) {
    return { code: 'untrustedCertificate', ...certificateWords(facts), certainty };
  }
  return certainty === 'notSent'
    ? { code: 'unreachable', ...unreachableWords(facts), certainty }
    : { code: 'noResponse', ...noResponseWords(facts), certainty };
}
