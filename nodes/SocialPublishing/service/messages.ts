import { DateTime } from 'luxon';

import { certaintyOf } from './certainty';
import { describeBody, errorText, type Redact, shorten } from './http/body';
import type { CredentialProblem, ServiceCredential } from './http/credential';
import { type HttpResponse, isBlocked, isUntrusted, type NoResponse } from './http/response';
import type { Failure } from './outcome';
import { availableFrom, quotaOf, remainingRequests } from './quota/headers';
import { LONGEST_WAIT } from './retry';

type Words = Pick<Failure, 'message' | 'description' | 'forModel'>;

/** What was sent, for wording. */
export interface Sent {
  readonly credential: ServiceCredential;
  readonly writes: boolean;
  /** The time zone to give times in: the workflow's. UTC when absent. */
  readonly zone?: string;
}

/** The failure for a credential that cannot be used. */
export const credentialFailure = ({ field, problem, solution }: CredentialProblem): Failure => ({
  message: `${field} (in the credential) ${problem}`,
  description: solution,
  certainty: 'notSent',
});

const LOOK_FIRST =
  'Look in the service before you run this again: the request may already have been carried out.';

/** Joins the parts that say something. */
export const sentences = (...parts: string[]): string =>
  parts.filter((part) => part !== '').join(' ');

/** Words that are not ours, such that the sentence around them can go on. */
export const quoted = (text: string): string => `“${text.replace(/\.$/, '')}”`;

/** Hides the API key, also as JSON and URLs write it. */
const keyRedactor =
  ({ credential: { apiKey } }: Sent): Redact =>
  (text) =>
    [apiKey, apiKey.replaceAll('/', '\\/'), encodeURIComponent(apiKey)].reduce(
      (hidden, key) => hidden.replaceAll(key, '[API key]'),
      text,
    );

function serviceWords(response: HttpResponse, sent: Sent): string {
  const text = errorText(response, keyRedactor(sent));
  return text === '' ? '' : `The service says: ${quoted(text)}.`;
}

const addressHint = ({ credential }: Sent): string =>
  `Check the Base URL in the credential (${credential.baseUrl}): it must be the address of the service and end in /api/v1.`;

/** A time in the zone of the workflow: `2026-11-21 20:40:00 Europe/Berlin`. */
function inZone(time: number, { zone = 'UTC' }: Sent): string {
  const utc = DateTime.fromMillis(time, { zone: 'utc', locale: 'en' });
  const local = utc.setZone(zone);
  const shown = local.isValid ? local : utc;
  return `${shown.toFormat('yyyy-MM-dd HH:mm:ss')} ${shown.zoneName}`;
}

/** When the service will take requests again, if that is not now already. */
function laterTime(response: HttpResponse, now: number): number | undefined {
  const from = availableFrom(response, now);
  return from !== undefined && from > now ? from : undefined;
}

function tooManyRequests(response: HttpResponse, sent: Sent, now: number): Words {
  const from = laterTime(response, now);
  const when =
    from === undefined
      ? 'Wait before you run this again.'
      : `Run this again after ${inZone(from, sent)}.`;
  return remainingRequests(quotaOf(response)) === 0
    ? {
        message: `The request quota of this API key is used up${from === undefined ? '' : ` until ${inZone(from, sent)}`}`,
        description: sentences(when, 'You can also upgrade your plan.'),
      }
    : {
        message: `The service accepts no more requests right now${from === undefined ? '' : ` and asks to wait until ${inZone(from, sent)}`}`,
        description: sentences(when, 'To make this less likely, lower Concurrency in the options.'),
        forModel: when,
      };
}

/** What a status means to the user and what to do next; the same for reads and writes. */
const REFUSALS: Readonly<Record<number, readonly [message: string, nextStep: string]>> = {
  400: [
    'The service refused the values',
    'Correct the field that the service names and run this again.',
  ],
  401: [
    'The API key was not accepted',
    "Copy the key again from the service's dashboard (Settings, API Keys) into the API Key of the credential: it may be mistyped, revoked or belong to another service.",
  ],
  402: [
    'The service asks for a payment',
    "Check the plan and the payment details in the service's dashboard.",
  ],
  403: [
    'This API key is not allowed to do this',
    'Check that the plan of the key includes API access (the free Creator plan does not) and that the key may use the workspace in Workspace ID.',
  ],
  404: ['The service did not find what was asked for', 'Check the Workspace ID and the other IDs.'],
  405: ['This address does not accept such a request', ''],
  409: [
    'The service reports a conflict with what it already has',
    'It may exist already: look in the service, then change what conflicts or leave the item out.',
  ],
  413: [
    'The request is too large for the service',
    'Shorten the text, or publish on fewer accounts at a time.',
  ],
};

const OTHER_REFUSAL = [
  'The service refused the request',
  'Correct what the service names and run this again.',
] as const;

function refusal(response: HttpResponse, sent: Sent, now: number): Words {
  const { status } = response;
  if (status === 429) return tooManyRequests(response, sent, now);
  const [message, nextStep] = REFUSALS[status === 422 ? 400 : status] ?? OTHER_REFUSAL;
  const atAddress = status === 404 || status === 405 ? addressHint(sent) : '';
  const isOddAddress = !/\/api\/v\d+$/.test(sent.credential.baseUrl);
  return {
    message: `${message} (${status})`,
    description: isOddAddress ? sentences(atAddress, nextStep) : sentences(nextStep, atAddress),
  };
}

/** What went wrong at a service that may have begun to act. */
function breakdown(response: HttpResponse, sent: Sent, now: number): Words {
  const { status } = response;
  const from = laterTime(response, now);
  if (sent.writes) {
    return {
      message: `The service failed while it handled the request (${status}), which may or may not have been carried out`,
      description: sentences(
        LOOK_FIRST,
        from === undefined ? '' : `The service asks to wait until ${inZone(from, sent)}.`,
      ),
    };
  }
  return from === undefined
    ? {
        message: `The service failed to respond (${status})`,
        description:
          'Run this again later. If the problem lasts, tell the operator of the service.',
      }
    : {
        message: `The service failed to respond (${status}) and asks to wait until ${inZone(from, sent)}`,
        description: `Run this again after ${inZone(from, sent)}.`,
      };
}

/** A redirect. It may follow a write unless it asks for the same request at another address. */
function redirect(response: HttpResponse, sent: Sent, isUncertain: boolean): Words {
  const { status } = response;
  const target = response.headers.location;
  return {
    message: `The service redirects to another address (${status})${isUncertain ? ', so the request may or may not have been carried out' : ''}`,
    description: sentences(
      target === undefined ? '' : `It names ${shorten(keyRedactor(sent)(target))}.`,
      'Redirects are not followed, so that the API key goes nowhere else.',
      addressHint(sent),
      isUncertain ? LOOK_FIRST : '',
    ),
  };
}

/** Whether every further request would get this response, for longer than is waited for. */
function holdsForAll(response: HttpResponse, now: number): boolean {
  const { status } = response;
  if (status === 401) return true;
  if (status !== 429 && status !== 503) return false;
  const from = laterTime(response, now);
  return (
    (status === 429 && remainingRequests(quotaOf(response)) === 0) ||
    (from !== undefined && from - now > LONGEST_WAIT)
  );
}

function statusWords(response: HttpResponse, sent: Sent, now: number): Words {
  const { status } = response;
  // A read is judged as a write would be: the words tell a breakdown and a refusal apart for both.
  const isUncertain = certaintyOf(response, true) === 'uncertain';
  if (status >= 300 && status < 400) return redirect(response, sent, sent.writes && isUncertain);
  const { message, description, forModel } = isUncertain
    ? breakdown(response, sent, now)
    : refusal(response, sent, now);
  const said = serviceWords(response, sent);
  return {
    message,
    description: sentences(said, description),
    ...(forModel === undefined ? {} : { forModel: sentences(said, forModel) }),
  };
}

/**
 * The failure for a response whose status is not a success (docs/service.md, "Errors").
 *
 * @param now Unix milliseconds
 */
export const statusFailure = (response: HttpResponse, sent: Sent, now: number): Failure => ({
  ...statusWords(response, sent, now),
  certainty: certaintyOf(response, sent.writes),
  httpCode: response.status,
  ...(holdsForAll(response, now) ? { closesCredential: true } : {}),
});

/** The failure for a success whose body is not the documented one (docs/service.md, "Success"). */
export function shapeFailure(response: HttpResponse, field: string, sent: Sent): Failure {
  const { status } = response;
  const certainty = certaintyOf(response, sent.writes);
  const message = `The service responded with success (${status}) but sent ${describeBody(response, field, keyRedactor(sent))}`;
  return certainty === 'uncertain'
    ? {
        message: `${message}, so the request may or may not have been carried out`,
        description: sentences(LOOK_FIRST, addressHint(sent)),
        certainty,
        httpCode: status,
      }
    : { message, description: addressHint(sent), certainty, httpCode: status };
}

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

/** The failure for requests that are not sent any more because the execution was stopped. */
export const CANCELED: Failure = {
  message: 'The execution was canceled',
  description: 'No further request was sent. To go on, retry this execution.',
  certainty: 'notSent',
};

/** The failure for requests that are not sent any more because another one ended the run. */
export const STOPPED: Failure = {
  message: 'The run was stopped',
  description:
    'Nothing was sent for this item, because another one failed. Correct that one, and retry this execution.',
  certainty: 'notSent',
};

const hostOf = ({ baseUrl }: ServiceCredential): string => new URL(baseUrl).host;

function problemOf(result: NoResponse): string {
  if (isUntrusted(result)) return 'its certificate is not trusted';
  if (isBlocked(result)) return 'n8n is set up to block this address';
  return CONNECTION_PROBLEMS[result.code] ?? 'the connection failed';
}

/** The failure for a request that got no complete response. */
export function connectionFailure(result: NoResponse, sent: Sent): Failure {
  const host = hostOf(sent.credential);
  const certainty = certaintyOf(result, sent.writes);
  const problem = problemOf(result);
  const code = result.code === '' ? '' : `(${result.code})`;
  if (certainty === 'notSent') {
    return {
      message: `The service at ${host} could not be reached: ${problem}`,
      description: sentences(
        addressHint(sent),
        isBlocked(result)
          ? 'If it is right, ask the administrator of n8n to allow it: N8N_SSRF_ALLOWED_HOSTNAMES for a name, N8N_SSRF_ALLOWED_IP_RANGES for an IP address.'
          : 'Check also that the service is running and that n8n can reach it.',
        code,
      ),
      certainty,
    };
  }
  const message = `No complete response came from ${host}: ${problem}`;
  const nextStep =
    result.code === 'EPROTO'
      ? 'If the service has no https, begin the Base URL in the credential with http://.'
      : 'Run this again later.';
  return certainty === 'uncertain'
    ? {
        message: `${message}. The request may or may not have been carried out`,
        description: sentences(LOOK_FIRST, code),
        certainty,
      }
    : { message, description: sentences(nextStep, code), certainty };
}
