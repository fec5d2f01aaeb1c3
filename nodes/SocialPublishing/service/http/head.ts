import type { IExecuteFunctions } from 'n8n-workflow';

import { isBlocked, readConnectionError } from './connectionError';
import type { FullResponse } from './response';

/** How long a host may take to answer, in milliseconds. */
export const HEAD_TIMEOUT = 10_000;

const TOO_SLOW = new Set(['ECONNABORTED', 'ETIMEDOUT']);

/** What a host answers to a HEAD request. */
export type Head =
  | {
      readonly answered: true;
      readonly status: number;
      /** The MIME type in lowercase, without parameters; `undefined` when the host names none. */
      readonly type: string | undefined;
    }
  | { readonly answered: false; readonly why: 'blocked' | 'slow' | 'unreachable' };

/** Sends a HEAD request to an address; resolves in every case. */
export type AskHead = (address: string) => Promise<Head>;

function typeIn(headers: FullResponse['headers']): string | undefined {
  const [, found] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const type = (Array.isArray(found) ? found[0] : found)?.split(';')[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}

/**
 * Asks through n8n's HTTP helper, so that its proxies and its protection of internal addresses
 * hold, also for redirects. No credential is sent.
 */
export function headsWith({ helpers }: IExecuteFunctions): AskHead {
  return async (address) => {
    const deadline = AbortSignal.timeout(HEAD_TIMEOUT);
    return await helpers
      .httpRequest({
        method: 'HEAD',
        url: address,
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
        timeout: HEAD_TIMEOUT,
        abortSignal: deadline,
      })
      .then(
        ({ statusCode, headers }: FullResponse): Head => ({
          answered: true,
          status: statusCode,
          type: typeIn(headers),
        }),
        (error: unknown): Head => {
          const failure = readConnectionError(error);
          if (isBlocked(failure)) return { answered: false, why: 'blocked' };
          const isSlow = deadline.aborted || TOO_SLOW.has(failure.code);
          return { answered: false, why: isSlow ? 'slow' : 'unreachable' };
        },
      );
  };
}
