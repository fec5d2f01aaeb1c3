/** No complete response came. */
export interface NoResponse {
  readonly responded: false;
  /** The error code of Node.js, such as `ECONNRESET`, or the name of n8n's error; may be empty. */
  readonly code: string;
  /** Whether it is certain that the service never saw the request. */
  readonly neverSent: boolean;
  /** Of a connection that was never made: where it was to go, the service or a proxy. */
  readonly peer?: Peer;
}

/** The other end of a connection, as far as Node.js names it. */
export interface Peer {
  readonly host: string;
  /** Absent where the name was not found. */
  readonly port?: number;
}

/** Error codes of Node.js for a name that was not found or a connection that was refused. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Error codes of Node.js for a certificate that is not trusted, found before anything is sent. */
const UNTRUSTED = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** The names of n8n's errors for an address that it is set up not to connect to. */
const BLOCKED = /^SsrfBlocked/;

/** Whether n8n is set up not to connect to the service. */
export const isBlocked = ({ code }: NoResponse): boolean => BLOCKED.test(code);

/** Whether the connection failed because the certificate of the service is not trusted. */
export const isUntrusted = ({ code }: NoResponse): boolean => UNTRUSTED.has(code);

/** An error and its causes, outermost first. Of several errors in one, it follows the first. */
function causesOf(error: unknown): Array<Readonly<Record<string, unknown>>> {
  const causes: Array<Readonly<Record<string, unknown>>> = [];
  let current = error;
  while (causes.length < 5 && typeof current === 'object' && current !== null) {
    const one = current as Record<string, unknown>;
    causes.push(one);
    current = Array.isArray(one.errors) ? (one.errors as unknown[])[0] : one.cause;
  }
  return causes;
}

/**
 * Reads what n8n's HTTP helper threw, without the message, which may quote the request. A host can
 * become unreachable later, too: only a failed system call `connect` proves that nothing was sent.
 */
export function readConnectionError(error: unknown): NoResponse {
  const causes = causesOf(error);
  const find = (key: string, fitting = /./): string | undefined =>
    causes
      .map(({ [key]: value }) => (typeof value === 'string' ? value : ''))
      .find((value) => fitting.test(value));
  // The error of n8n 1.123 has no cause. It keeps the code under another name.
  const blocked = find('name', BLOCKED);
  const code = blocked ?? find('code') ?? find('httpCode') ?? '';
  const neverSent =
    blocked !== undefined ||
    find('syscall') === 'connect' ||
    NEVER_CONNECTED.has(code) ||
    UNTRUSTED.has(code);
  const { address, hostname, port } =
    causes.find(({ address, hostname }) => typeof (address ?? hostname) === 'string') ?? {};
  const host = address ?? hostname;
  const peer =
    neverSent && typeof host === 'string'
      ? { host, ...(typeof port === 'number' && { port }) }
      : undefined;
  return { responded: false, code, neverSent, ...(peer && { peer }) };
}
