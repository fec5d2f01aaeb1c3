import { DateTime } from 'luxon';

import type { CredentialProblem } from './http/credential';
import type { Failure } from './outcome';

/** The words for failures. What happened is decided in failures.ts, and secrets are taken out there. */

/** What happened, and what to do next: for people, and for an AI model, which can't change the node. */
export type Words = Pick<Failure, 'message' | 'description' | 'forModel' | 'forWriter'>;

/** What is known of a response. */
interface ResponseFacts {
  readonly status: number;
  readonly baseUrl: string;
  /** What the service says about the error; empty when it says nothing. */
  readonly says: string;
  /** When the service will take requests again, as {@link inZone} writes it. */
  readonly until: string | undefined;
  /** Where a redirect leads. */
  readonly target: string | undefined;
  readonly mayHaveActed: boolean;
}

/** What is known of a connection that broke, or was never made. */
interface ConnectionFacts {
  readonly baseUrl: string;
  /** The error code of Node.js; empty when there is none. */
  readonly nodeCode: string;
  readonly isBlocked: boolean;
  readonly mayHaveActed: boolean;
}

/** With a capital at its start. */
export const capitalized = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Joins the parts that say something. */
export const sentences = (...parts: string[]): string =>
  parts.filter((part) => part !== '').join(' ');

/** Quotes the service or n8n in the middle of a sentence. */
export const quoted = (text: string): string => `“${text.replace(/\.$/, '')}”`;

/** Unix milliseconds as `2026-11-21 20:40:00 Europe/Berlin`. */
export function inZone(time: number, zone = 'UTC'): string {
  const utc = DateTime.fromMillis(time, { zone: 'utc', locale: 'en' });
  const local = utc.setZone(zone);
  const shown = local.isValid ? local : utc;
  return `${shown.toFormat('yyyy-MM-dd HH:mm:ss')} ${shown.zoneName}`;
}

const LOOK_FIRST =
  'Look in the service before you run this again: the request may already have been carried out.';

const MAY_HAVE_ACTED = 'the request may or may not have been carried out';

const serviceSays = (says: string): string =>
  says === '' ? '' : `The service says: ${quoted(says)}.`;

const checkAddress = (baseUrl: string): string =>
  `Check the Base URL in the credential (${baseUrl}): it must be the address of the service and end in /api/v1.`;

const whenToRun = (until: string | undefined): string =>
  until === undefined ? 'Wait before you run this again.' : `Run this again after ${until}.`;

export const credentialWords = ({ field, problem, solution }: CredentialProblem): Words => ({
  message: `${field} (in the credential) ${problem}`,
  description: solution,
});

export const quotaUsedUpWords = ({ says, until }: ResponseFacts): Words => ({
  message: `The request quota of this API key is used up${until === undefined ? '' : ` until ${until}`}`,
  description: sentences(serviceSays(says), whenToRun(until), 'You can also upgrade your plan.'),
});

export const tooManyRequestsWords = ({ says, until }: ResponseFacts): Words => ({
  message: `The service accepts no more requests right now${until === undefined ? '' : ` and asks to wait until ${until}`}`,
  description: sentences(
    serviceSays(says),
    whenToRun(until),
    'To make this less likely, lower Concurrency in the options.',
  ),
  forModel: sentences(serviceSays(says), whenToRun(until)),
});

/** What each refusal means to the user, and what to do next. */
const REFUSALS = {
  invalidValues: [
    'The service refused the values',
    'Correct the field that the service names and run this again.',
  ],
  keyNotAccepted: [
    'The API key was not accepted',
    "Copy the key again from the service's dashboard (Settings, API Keys) into the API Key of the credential: it may be mistyped, revoked or belong to another service.",
  ],
  paymentRequired: [
    'The service asks for a payment',
    "Check the plan and the payment details in the service's dashboard.",
  ],
  notAllowed: [
    'This API key is not allowed to do this',
    'Check that the plan of the key includes API access (the free Creator plan does not) and that the key may use the workspace in Workspace ID.',
  ],
  notFound: ["The service couldn't find it", 'Check the Workspace ID and the other IDs.'],
  wrongAddress: ['This address does not accept such a request', ''],
  conflict: [
    'The service reports a conflict with what it already has',
    'It may exist already: look in the service, then change what conflicts or leave the item out.',
  ],
  tooLarge: [
    'The request is too large for the service',
    'Shorten the text, or publish on fewer accounts at a time.',
  ],
  refused: [
    'The service refused the request',
    'Correct what the service names and run this again.',
  ],
} as const satisfies Readonly<Record<string, readonly [message: string, nextStep: string]>>;

/** What the service refuses for what somebody wrote. */
const FOR_VALUES: readonly string[] = ['invalidValues', 'conflict', 'tooLarge', 'refused'];

/** What the service refuses a request for. */
export type RefusalCode = keyof typeof REFUSALS;

export function refusalWords(
  refusal: RefusalCode,
  { status, says, baseUrl }: ResponseFacts,
): Words {
  const [message, nextStep] = REFUSALS[refusal];
  const atAddress =
    refusal === 'notFound' || refusal === 'wrongAddress' ? checkAddress(baseUrl) : '';
  // The likeliest cause first.
  const isOddAddress = !/\/api\/v\d+$/.test(baseUrl);
  return {
    message: `${message} (${status})`,
    description: sentences(
      serviceSays(says),
      ...(isOddAddress ? [atAddress, nextStep] : [nextStep, atAddress]),
    ),
    ...(says !== '' &&
      FOR_VALUES.includes(refusal) && {
        forWriter: `The service refused it. ${serviceSays(says)}`,
      }),
  };
}

/** What went wrong at a service that may have begun to act. */
export function breakdownWords({ status, says, until, mayHaveActed }: ResponseFacts): Words {
  if (mayHaveActed) {
    return {
      message: `The service failed while it handled the request (${status}), which may or may not have been carried out`,
      description: sentences(
        serviceSays(says),
        LOOK_FIRST,
        until === undefined ? '' : `The service asks to wait until ${until}.`,
      ),
    };
  }
  return until === undefined
    ? {
        message: `The service failed to respond (${status})`,
        description: sentences(
          serviceSays(says),
          'Run this again later. If the problem lasts, tell the operator of the service.',
        ),
      }
    : {
        message: `The service failed to respond (${status}) and asks to wait until ${until}`,
        description: sentences(serviceSays(says), whenToRun(until)),
      };
}

export const redirectWords = ({ status, baseUrl, target, mayHaveActed }: ResponseFacts): Words => ({
  message: `The service redirects to another address (${status})${mayHaveActed ? `, so ${MAY_HAVE_ACTED}` : ''}`,
  description: sentences(
    target === undefined ? '' : `It names ${target}.`,
    'Redirects are not followed, so that the API key goes nowhere else.',
    checkAddress(baseUrl),
    mayHaveActed ? LOOK_FIRST : '',
  ),
});

/** @param came what came instead of the documented body */
export const shapeWords = (
  came: string,
  { status, baseUrl, mayHaveActed }: Pick<ResponseFacts, 'status' | 'baseUrl' | 'mayHaveActed'>,
): Words => ({
  message: `The service responded with success (${status}) but sent ${came}${mayHaveActed ? `, so ${MAY_HAVE_ACTED}` : ''}`,
  description: sentences(mayHaveActed ? LOOK_FIRST : '', checkAddress(baseUrl)),
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

const connectionProblem = ({ isBlocked, nodeCode }: ConnectionFacts): string =>
  isBlocked
    ? 'n8n is set up to block this address'
    : (CONNECTION_PROBLEMS[nodeCode] ?? 'the connection failed');

const inBrackets = (nodeCode: string): string => (nodeCode === '' ? '' : `(${nodeCode})`);

export const unreachableWords = (facts: ConnectionFacts): Words => ({
  message: `The service at ${new URL(facts.baseUrl).host} could not be reached: ${connectionProblem(facts)}`,
  description: sentences(
    checkAddress(facts.baseUrl),
    facts.isBlocked
      ? 'If it is right, ask the administrator of n8n to allow it: N8N_SSRF_ALLOWED_HOSTNAMES for a name, N8N_SSRF_ALLOWED_IP_RANGES for an IP address.'
      : 'Check also that the service is running and that n8n can reach it.',
    inBrackets(facts.nodeCode),
  ),
});

/** What is wrong with a certificate, and what to do about it, by the code of Node.js. */
const CERTIFICATE_PROBLEMS: Readonly<Record<string, readonly [problem: string, nextStep: string]>> =
  {
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

const UNTRUSTED = [
  'its certificate is not trusted',
  'If the service or your company issued the certificate, ask the administrator of n8n to set NODE_EXTRA_CA_CERTS to the path of the certificate file and to restart n8n.',
] as const;

export function certificateWords({ baseUrl, nodeCode }: ConnectionFacts): Words {
  const [problem, nextStep] = CERTIFICATE_PROBLEMS[nodeCode] ?? UNTRUSTED;
  return {
    message: `The service at ${new URL(baseUrl).host} could not be reached: ${problem}`,
    description: sentences(nextStep, inBrackets(nodeCode)),
  };
}

const PROXY_SETTINGS = 'HTTP_PROXY, HTTPS_PROXY or ALL_PROXY';

const WITHOUT_PROXY = 'If the service needs no proxy, add its host to NO_PROXY.';

/** @param proxy its host, with its port where it is known */
export const proxyUnreachableWords = (proxy: string, facts: ConnectionFacts): Words => ({
  message: `The proxy at ${proxy}, which n8n uses to reach the service, could not be reached: ${connectionProblem(facts)}`,
  description: sentences(
    `Ask the administrator of n8n to check ${PROXY_SETTINGS} and that the proxy is running.`,
    WITHOUT_PROXY,
    inBrackets(facts.nodeCode),
  ),
});

export const proxyRefusedWords = (status: number): Words => ({
  message: `The proxy between n8n and the service asks for a user name and a password (${status})`,
  description: sentences(
    `Ask the administrator of n8n to add them to the address of the proxy in ${PROXY_SETTINGS}, as in http://user:password@proxy.example.com:3128.`,
    WITHOUT_PROXY,
  ),
});

export function noResponseWords(facts: ConnectionFacts): Words {
  const message = `No complete response came from ${new URL(facts.baseUrl).host}: ${connectionProblem(facts)}`;
  if (facts.mayHaveActed) {
    return {
      message: `${message}. The request may or may not have been carried out`,
      description: sentences(LOOK_FIRST, inBrackets(facts.nodeCode)),
    };
  }
  const nextStep =
    facts.nodeCode === 'EPROTO'
      ? 'If the service has no https, begin the Base URL in the credential with http://.'
      : 'Run this again later.';
  return { message, description: sentences(nextStep, inBrackets(facts.nodeCode)) };
}

const TELL_THE_USER = 'Tell the user that the request quota is not used any further.';

export const UNKNOWN_QUOTA: Words = {
  message: 'The number of remaining requests is unknown, so no more were sent',
  description:
    'The service sent no usable X-RateLimit-Remaining header. To go on without this protection, remove the option Keep Requests.',
  forModel: TELL_THE_USER,
};

/** @param lost how many requests without an answer were taken off `left` */
export const keepRequestsWords = (keep: number, left: number, lost: number): Words => ({
  message: `Stopped to keep ${keep} requests: ${left} remain`,
  description: sentences(
    lost === 0
      ? ''
      : `${lost === 1 ? '1 request' : `${lost} requests`} without an answer count as used.`,
    'Lower the option Keep Requests, or run this again when the quota is renewed.',
  ),
  forModel: TELL_THE_USER,
});
