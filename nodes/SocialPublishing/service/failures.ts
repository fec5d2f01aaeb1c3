import { certaintyOf, PROXY_REFUSED } from './certainty';
import { isBlocked, isUntrusted, type NoResponse } from './http/connectionError';
import type { CredentialProblem, ServiceCredential } from './http/credential';
import type { HttpResponse } from './http/response';
import { describeBody, errorText, type Redact, shorten } from './http/unexpectedBody';
import type { Failure } from './outcome';
import { availableFrom, quotaOf, remainingRequests } from './quota';
import { LONGEST_WAIT } from './retry';
import { inZone, quoted, sentences } from './words';

/** What was sent. */
export interface SentRequest {
  readonly credential: ServiceCredential;
  readonly writes: boolean;
  /** The time zone to give times in: the workflow's. UTC when absent. */
  readonly zone?: string;
}

/** What happened, as a word for machines and in words for people and models. */
type Told = Pick<Failure, 'code' | 'message' | 'description' | 'forModel' | 'forWriter'>;

const LOOK_FIRST =
  'Look in the service before you run this again: the request may already have been carried out.';

const MAY_HAVE_ACTED = 'the request may or may not have been carried out';

const checkAddress = (baseUrl: string): string =>
  `Check the Base URL in the credential (${baseUrl}): it must be the address of the service and end in /api/v1.`;

/** The failure for a credential that cannot be used. */
export const credentialFailure = ({ field, problem, solution }: CredentialProblem): Failure => ({
  code: 'invalidCredential',
  message: `${field} (in the credential) ${problem}`,
  description: solution,
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

const isUsedUp = (response: HttpResponse): boolean =>
  response.status === 429 && remainingRequests(quotaOf(response)) === 0;

type RefusalTexts = readonly [code: string, message: string, nextStep: string];

const INVALID_VALUES: RefusalTexts = [
  'invalidValues',
  'The service refused the values',
  'Correct the field that the service names and run this again.',
];

/** What a status means to the user, and what to do next; the same for reads and writes. */
const REFUSALS: Readonly<Record<number, RefusalTexts>> = {
  400: INVALID_VALUES,
  401: [
    'keyNotAccepted',
    'The API key was not accepted',
    "Copy the key again from the service's dashboard (Settings, API Keys) into the API Key of the credential: it may be mistyped, revoked or belong to another service.",
  ],
  402: [
    'paymentRequired',
    'The service asks for a payment',
    "Check the plan and the payment details in the service's dashboard.",
  ],
  403: [
    'notAllowed',
    'This API key is not allowed to do this',
    'Check that the plan of the key includes API access (the free Creator plan does not) and that the key may use the workspace in Workspace ID.',
  ],
  404: ['notFound', "The service couldn't find it", 'Check the Workspace ID and the other IDs.'],
  405: ['wrongAddress', 'This address does not accept such a request', ''],
  409: [
    'conflict',
    'The service reports a conflict with what it already has',
    'It may exist already: look in the service, then change what conflicts or leave the item out.',
  ],
  413: [
    'tooLarge',
    'The request is too large for the service',
    'Shorten the text, or publish on fewer accounts at a time.',
  ],
  422: INVALID_VALUES,
};

const OTHER: RefusalTexts = [
  'refused',
  'The service refused the request',
  'Correct what the service names and run this again.',
];

/** The refusals that may be for what somebody wrote. */
const FOR_VALUES = new Set(['invalidValues', 'conflict', 'tooLarge', 'refused']);

const PROXY_SETTINGS = 'HTTP_PROXY, HTTPS_PROXY or ALL_PROXY';

const WITHOUT_PROXY = 'If the service needs no proxy, add its host to NO_PROXY.';

/** What a response tells whose status is not a success. */
function told(response: HttpResponse, sent: SentRequest, now: number): Told {
  const { status, headers } = response;
  const { baseUrl } = sent.credential;
  const redact = keyRedactor(sent);
  const said = errorText(response, redact);
  const serviceSays = said !== '' && `The service says: ${quoted(said)}.`;
  const from = laterTime(response, now);
  const until = from === undefined ? undefined : inZone(from, sent.zone);
  const runAgain =
    until === undefined ? 'Wait before you run this again.' : `Run this again after ${until}.`;
  // A read is judged as a write would be: a breakdown and a refusal are told apart for both.
  const isBreakdown = certaintyOf(response, true) === 'uncertain';
  const mayHaveActed = sent.writes && isBreakdown;

  if (status === PROXY_REFUSED) {
    return {
      code: 'proxyRefused',
      message: `The proxy between n8n and the service asks for a user name and a password (${status})`,
      description: sentences(
        `Ask the administrator of n8n to add them to the address of the proxy in ${PROXY_SETTINGS}, as in http://user:password@proxy.example.com:3128.`,
        WITHOUT_PROXY,
      ),
    };
  }
  if (status >= 300 && status < 400) {
    const { location } = headers;
    return {
      code: 'redirected',
      message: `The service redirects to another address (${status})${mayHaveActed ? `, so ${MAY_HAVE_ACTED}` : ''}`,
      description: sentences(
        location !== undefined && `It names ${shorten(redact(location))}.`,
        'Redirects are not followed, so that the API key goes nowhere else.',
        checkAddress(baseUrl),
        mayHaveActed && LOOK_FIRST,
      ),
    };
  }
  if (mayHaveActed) {
    return {
      code: 'serviceFailed',
      message: `The service failed while it handled the request (${status}), which may or may not have been carried out`,
      description: sentences(
        serviceSays,
        LOOK_FIRST,
        until && `The service asks to wait until ${until}.`,
      ),
    };
  }
  if (isBreakdown) {
    return {
      code: 'serviceFailed',
      message: `The service failed to respond (${status})${until === undefined ? '' : ` and asks to wait until ${until}`}`,
      description: sentences(
        serviceSays,
        until === undefined
          ? 'Run this again later. If the problem lasts, tell the operator of the service.'
          : runAgain,
      ),
    };
  }
  if (isUsedUp(response)) {
    return {
      code: 'quotaUsedUp',
      message: `The request quota of this API key is used up${until === undefined ? '' : ` until ${until}`}`,
      description: sentences(serviceSays, runAgain, 'You can also upgrade your plan.'),
    };
  }
  if (status === 429) {
    return {
      code: 'tooManyRequests',
      message: `The service accepts no more requests right now${until === undefined ? '' : ` and asks to wait until ${until}`}`,
      description: sentences(
        serviceSays,
        runAgain,
        'To make this less likely, lower Concurrency in the options.',
      ),
      forModel: sentences(serviceSays, runAgain),
    };
  }
  const [code, what, nextStep] = REFUSALS[status] ?? OTHER;
  const address = (status === 404 || status === 405) && checkAddress(baseUrl);
  // The likeliest cause first.
  const steps = /\/api\/v\d+$/.test(baseUrl) ? [nextStep, address] : [address, nextStep];
  return {
    code,
    message: `${what} (${status})`,
    description: sentences(serviceSays, ...steps),
    ...(serviceSays &&
      FOR_VALUES.has(code) && { forWriter: `The service refused it. ${serviceSays}` }),
  };
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
  return {
    code: 'unexpectedResponse',
    message: `The service responded with success (${status}) but sent ${came}${mayHaveActed ? `, so ${MAY_HAVE_ACTED}` : ''}`,
    description: sentences(mayHaveActed && LOOK_FIRST, checkAddress(sent.credential.baseUrl)),
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

const TELL_THE_USER = 'Tell the user that the request quota is not used any further.';

/** The failure for requests that are not sent because nothing says how many remain. */
export const QUOTA_UNKNOWN: Failure = {
  code: 'quotaUnknown',
  message: 'The number of remaining requests is unknown, so no more were sent',
  description:
    'The service sent no usable X-RateLimit-Remaining header. To go on without this protection, remove the option Keep Requests.',
  forModel: TELL_THE_USER,
  certainty: 'notSent',
};

/**
 * The failure for requests that are not sent because so many must be left.
 * @param lost how many requests without an answer were taken off `left`
 */
export const quotaKeptFailure = (keep: number, left: number, lost: number): Failure => ({
  code: 'keepRequests',
  message: `Stopped to keep ${keep} requests: ${left} remain`,
  description: sentences(
    lost > 0 && `${lost === 1 ? '1 request' : `${lost} requests`} without an answer count as used.`,
    'Lower the option Keep Requests, or run this again when the quota is renewed.',
  ),
  forModel: TELL_THE_USER,
  certainty: 'notSent',
});

const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'no such host was found',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  EPROTO: 'it does not speak https',
  ETIMEDOUT: 'no response came in time',
  ECONNABORTED: 'no response came in time',
  ERR_CANCELED: 'the execution was canceled',
};

type CertificateProblem = readonly [problem: string, nextStep: string];

/** What is wrong with a certificate, and what to do about it, by the code of Node.js. */
const CERTIFICATE_PROBLEMS: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: [
    'its certificate has expired',
    'Tell the operator of the service to renew it.',
  ],
  CERT_NOT_YET_VALID: [
    'its certificate is not valid yet',
    'Check the clock of the machine that n8n runs on.',
  ],
  CERT_REVOKED: ['its certificate was revoked', 'Tell the operator of the service to renew it.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate is for another name',
    'Enter the Base URL in the credential with the name that the certificate is for.',
  ],
};

const UNTRUSTED: CertificateProblem = [
  'its certificate is not trusted',
  'If the service or your company issued the certificate, ask the administrator of n8n to set NODE_EXTRA_CA_CERTS to the path of the certificate file and to restart n8n.',
];

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
  const { host } = new URL(baseUrl);
  const certainty = certaintyOf(result, sent.writes);
  const inBrackets = result.code !== '' && `(${result.code})`;
  const problem = isBlocked(result)
    ? 'n8n is set up to block this address'
    : (CONNECTION_PROBLEMS[result.code] ?? 'the connection failed');
  const proxy = proxyOf(result, sent.credential);
  if (proxy !== undefined) {
    return {
      code: 'proxyUnreachable',
      message: `The proxy at ${proxy}, which n8n uses to reach the service, could not be reached: ${problem}`,
      description: sentences(
        `Ask the administrator of n8n to check ${PROXY_SETTINGS} and that the proxy is running.`,
        WITHOUT_PROXY,
        inBrackets,
      ),
      certainty,
    };
  }
  if (isUntrusted(result)) {
    const [ofCertificate, nextStep] = CERTIFICATE_PROBLEMS[result.code] ?? UNTRUSTED;
    return {
      code: 'untrustedCertificate',
      message: `The service at ${host} could not be reached: ${ofCertificate}`,
      description: sentences(nextStep, inBrackets),
      certainty,
    };
  }
  if (certainty === 'notSent') {
    return {
      code: 'unreachable',
      message: `The service at ${host} could not be reached: ${problem}`,
      description: sentences(
        checkAddress(baseUrl),
        isBlocked(result)
          ? 'If it is right, ask the administrator of n8n to allow it: N8N_SSRF_ALLOWED_HOSTNAMES for a name, N8N_SSRF_ALLOWED_IP_RANGES for an IP address.'
          : 'Check also that the service is running and that n8n can reach it.',
        inBrackets,
      ),
      certainty,
    };
  }
  const mayHaveActed = certainty === 'uncertain';
  const nextStep =
    result.code === 'EPROTO'
      ? 'If the service has no https, begin the Base URL in the credential with http://.'
      : 'Run this again later.';
  return {
    code: 'noResponse',
    message: `No complete response came from ${host}: ${problem}${mayHaveActed ? '. The request may or may not have been carried out' : ''}`,
    description: sentences(mayHaveActed ? LOOK_FIRST : nextStep, inBrackets),
    certainty,
  };
}
