import { DateTime } from 'luxon';

import { errorText, type Hide, shorten, whatCame } from './answer';
import type { CredentialProblem, ServiceCredential } from './credential';
import { type HttpAnswer, type NoAnswer, UNTRUSTED } from './http';
import type { Certainty, Failure } from './outcome';
import { availableFrom, quotaOf, remainingRequests } from './rateLimit';
import { LONGEST_WAIT } from './retry';

type Words = Pick<Failure, 'message' | 'description'>;

/** What was sent, for wording. */
export interface Sent {
  readonly credential: ServiceCredential;
  readonly writes: boolean;
}

/** The failure for a credential that cannot be used. */
export const credentialFailure = ({ field, problem }: CredentialProblem): Failure => ({
  message: `${field} (in the credential) ${problem}`,
  description: 'Correct it in the credential of the node.',
  certainty: 'notSent',
});

const MAY_BE_DONE =
  'Look in the service before you run this again: what you asked for may already have been carried out.';

const sentences = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ');

/** Hides the API key, also as JSON and URLs write it. */
const keyHider =
  ({ credential: { apiKey } }: Sent): Hide =>
  (text) =>
    [apiKey, apiKey.replaceAll('/', '\\/'), encodeURIComponent(apiKey)].reduce(
      (hidden, key) => hidden.replaceAll(key, '[API key]'),
      text,
    );

const said = (answer: HttpAnswer, sent: Sent): string => {
  const text = errorText(answer, keyHider(sent));
  return text === '' ? '' : `The service says: "${text}".`;
};

const addressHint = ({ credential }: Sent): string =>
  `Check the Base URL in the credential (${credential.baseUrl}): it must be the address of the service and end in /api/v1.`;

const until = (time: number): string =>
  DateTime.fromMillis(time, { zone: 'utc', locale: 'en' }).toFormat("yyyy-MM-dd HH:mm:ss 'UTC'");

/** When the service will take requests again, if that is not now already. */
function laterTime(answer: HttpAnswer, now: number): number | undefined {
  const from = availableFrom(answer, now);
  return from !== undefined && from > now ? from : undefined;
}

function tooMany(answer: HttpAnswer, now: number): Words {
  const from = laterTime(answer, now);
  const when =
    from === undefined ? 'Wait before you run this again.' : `Run this again after ${until(from)}.`;
  return remainingRequests(quotaOf(answer)) === 0
    ? {
        message: `The request quota of this API key is used up${from === undefined ? '' : ` until ${until(from)}`}`,
        description: sentences(when, 'A plan with more requests per month helps, too.'),
      }
    : {
        message: `The service takes no more requests right now${from === undefined ? '' : ` and asks to wait until ${until(from)}`}`,
        description: sentences(when, 'A lower Concurrency in the options makes this less likely.'),
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
  405: ['This address does not take such a request', ''],
  409: [
    'The service reports a conflict with what it already has',
    'It may exist already: look in the service, then change what conflicts or leave the item out.',
  ],
  413: [
    'The request is too large for the service',
    'Shorten Content, or send fewer variants at a time.',
  ],
};

const OTHER_REFUSAL = [
  'The service refused the request',
  'Correct what the service names and run this again.',
] as const;

function refusal(answer: HttpAnswer, sent: Sent, now: number): Words {
  const { status } = answer;
  if (status === 429) return tooMany(answer, now);
  const [message, nextStep] = REFUSALS[status === 422 ? 400 : status] ?? OTHER_REFUSAL;
  const atAddress = status === 404 || status === 405;
  return {
    message: `${message} (${status})`,
    description: sentences(nextStep, atAddress ? addressHint(sent) : ''),
  };
}

/** What went wrong at a service that may have begun to act. */
function breakdown(answer: HttpAnswer, sent: Sent, now: number): Words {
  const { status } = answer;
  const from = laterTime(answer, now);
  if (sent.writes) {
    return {
      message: `The service failed while it handled the request (${status}), which may or may not have been carried out`,
      description: sentences(
        MAY_BE_DONE,
        from === undefined ? '' : `The service asks to wait until ${until(from)}.`,
      ),
    };
  }
  return from === undefined
    ? {
        message: `The service failed to answer (${status})`,
        description: 'Run this again later; if it lasts, tell the operator of the service.',
      }
    : {
        message: `The service failed to answer (${status}) and asks to wait until ${until(from)}`,
        description: `Run this again after ${until(from)}.`,
      };
}

/** A redirect, which may follow a write unless it asks for the same request at another address. */
function redirect(answer: HttpAnswer, sent: Sent): Words {
  const { status } = answer;
  const target = answer.headers.location;
  const open = sent.writes && leavesOpen(status);
  return {
    message: `The service redirects to another address (${status})${open ? ', so the request may or may not have been carried out' : ''}`,
    description: sentences(
      target === undefined ? '' : `It names ${shorten(keyHider(sent)(target))}.`,
      'Redirects are not followed, so that the API key goes nowhere else.',
      addressHint(sent),
      open ? MAY_BE_DONE : '',
    ),
  };
}

/**
 * Whether a status leaves open if a write was carried out: a server error, a request that timed out,
 * or a redirect. Only 307 and 308 ask for the same request at another address; the others may point
 * to what was written.
 */
const leavesOpen = (status: number): boolean =>
  status >= 500 || status === 408 || (status < 400 && status !== 307 && status !== 308);

function told(answer: HttpAnswer, sent: Sent, now: number): Words {
  const { status } = answer;
  if (status >= 300 && status < 400) return redirect(answer, sent);
  const { message, description } = leavesOpen(status)
    ? breakdown(answer, sent, now)
    : refusal(answer, sent, now);
  return { message, description: sentences(said(answer, sent), description) };
}

/** Whether every further request would be answered like this, for longer than is waited for. */
function holdsForAll(answer: HttpAnswer, now: number): boolean {
  const { status } = answer;
  if (status === 401) return true;
  if (status !== 429 && status !== 503) return false;
  const from = laterTime(answer, now);
  return (
    (status === 429 && remainingRequests(quotaOf(answer)) === 0) ||
    (from !== undefined && from - now > LONGEST_WAIT)
  );
}

/** The failure for an answer whose status is not a success (specification, "Errors"; DESIGN: "Error bodies"). */
export function statusFailure(answer: HttpAnswer, sent: Sent, now: number): Failure {
  const certainty: Certainty = leavesOpen(answer.status) ? 'uncertain' : 'refused';
  return {
    ...told(answer, sent, now),
    certainty: sent.writes ? certainty : 'failed',
    httpCode: answer.status,
    ...(holdsForAll(answer, now) ? { closesCredential: true } : {}),
  };
}

/** The failure for a success whose body is not the documented one (DESIGN: "Success"). */
export function shapeFailure(answer: HttpAnswer, field: string, sent: Sent): Failure {
  const { status } = answer;
  const message = `The service answered with success (${status}) but sent ${whatCame(answer, field, keyHider(sent))}`;
  return {
    message: sent.writes
      ? `${message}, so the request may or may not have been carried out`
      : message,
    description: sentences(sent.writes ? MAY_BE_DONE : '', addressHint(sent)),
    certainty: sent.writes ? 'uncertain' : 'failed',
    httpCode: status,
  };
}

const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'no such host was found',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'no answer came in time',
  ECONNABORTED: 'no answer came in time',
  ERR_CANCELED: 'the execution was canceled',
};

/** The failure for requests that are not sent any more because the execution was stopped. */
export const CANCELED: Failure = {
  message: 'The execution was canceled',
  description: 'No further request was sent.',
  certainty: 'notSent',
};

const hostOf = ({ baseUrl }: ServiceCredential): string => new URL(baseUrl).host;

/** The failure for a request that got no complete answer. */
export function connectionFailure(none: NoAnswer, sent: Sent): Failure {
  const host = hostOf(sent.credential);
  const problem = UNTRUSTED.has(none.code)
    ? 'its certificate is not trusted'
    : (CONNECTION_PROBLEMS[none.code] ?? 'the connection failed');
  const code = none.code === '' ? '' : `(${none.code})`;
  if (none.neverSent) {
    return {
      message: `The service at ${host} could not be reached: ${problem}`,
      description: sentences(
        addressHint(sent),
        'Check also that the service is running and that n8n may reach it.',
        code,
      ),
      certainty: 'notSent',
    };
  }
  const message = `No complete answer came from ${host}: ${problem}`;
  return {
    message: sent.writes ? `${message}. The request may or may not have been carried out` : message,
    description: sentences(sent.writes ? MAY_BE_DONE : 'Run this again later.', code),
    certainty: sent.writes ? 'uncertain' : 'failed',
  };
}
