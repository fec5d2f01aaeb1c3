import { readConnectionError } from '../../../../nodes/SocialPublishing/service/http/connectionError';

/** An error as n8n's HTTP helper throws it: around that of its client, around that of Node.js. */
function thrown(code: string, syscall?: string): Error {
  const own = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  const client = Object.assign(new Error(own.message, { cause: own }), { code });
  return new Error('n8n words it anew', { cause: client });
}

describe('readConnectionError', () => {
  test.each([
    ['ECONNREFUSED', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ENETUNREACH', 'connect'],
    ['ETIMEDOUT', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
    ['EAI_AGAIN', 'getaddrinfo'],
    // Several addresses were tried: their errors come together, without a system call.
    ['ECONNREFUSED', undefined],
    ['CERT_HAS_EXPIRED', undefined],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', undefined],
    ['ERR_TLS_CERT_ALTNAME_INVALID', undefined],
  ])('%s of %p: the service never saw the request', (code, syscall) => {
    expect(readConnectionError(thrown(code, syscall))).toEqual({
      responded: false,
      code,
      neverSent: true,
    });
  });

  test.each([
    ['ECONNRESET', 'read'],
    ['ECONNRESET', undefined],
    ['EPIPE', 'write'],
    ['ETIMEDOUT', 'read'],
    ['ETIMEDOUT', undefined],
    ['ECONNABORTED', undefined],
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'read'],
    ['EHOSTUNREACH', undefined],
    ['ERR_CANCELED', undefined],
    ['EPROTO', 'write'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', undefined],
  ])('%s of %p: the service may have seen the request', (code, syscall) => {
    expect(readConnectionError(thrown(code, syscall))).toEqual({
      responded: false,
      code,
      neverSent: false,
    });
  });

  test.each([
    ['ECONNREFUSED', true],
    ['ECONNRESET', false],
  ])('%s in an error of n8n 1.123, which has no cause: never sent is %p', (code, neverSent) => {
    const error = Object.assign(new Error('n8n words it anew'), { httpCode: code });

    expect(readConnectionError(error)).toEqual({ responded: false, code, neverSent });
  });

  test.each(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])(
    '%s of n8n: the service never saw the request',
    (name) => {
      const cause = Object.assign(new Error('The request was blocked'), { name });
      const error = Object.assign(new Error('The request was blocked', { cause }), { code: 'E' });

      expect(readConnectionError(error)).toEqual({ responded: false, code: name, neverSent: true });
    },
  );

  test('an empty code is not shown', () => {
    const error = Object.assign(thrown('ECONNREFUSED'), { code: '' });

    expect(readConnectionError(error)).toMatchObject({ code: 'ECONNREFUSED', neverSent: true });
  });

  const endless: { cause?: unknown } = {};
  endless.cause = endless;
  test.each([
    ['an error without a code', new Error('connect ECONNREFUSED')],
    ['a code that is no text', Object.assign(new Error('x'), { code: 401 })],
    ['a text', 'ECONNREFUSED'],
    ['nothing', undefined],
    ['null', null],
    ['causes without end', endless],
  ])('%s: the service may have seen the request', (_, error) => {
    expect(readConnectionError(error)).toEqual({ responded: false, code: '', neverSent: false });
  });
});
