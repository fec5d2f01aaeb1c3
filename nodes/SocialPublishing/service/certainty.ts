import type { ExchangeResult } from './http/response';

/**
 * What is certain about a request that did not bring what was asked for. The user's next step
 * depends on it.
 *
 * - `notSent`: the service never saw the request.
 * - `refused`: the service says that it did nothing.
 * - `failed`: a read brought no usable response. Reading changes nothing.
 * - `uncertain`: a write may or may not have been carried out.
 */
export type Certainty = 'notSent' | 'refused' | 'failed' | 'uncertain';

/**
 * Whether a service may have written: of redirects, only 307 and 308 ask for the same request
 * elsewhere; the others may point to what was written.
 */
const mayHaveActed = (status: number): boolean =>
  status >= 500 || status === 408 || (status < 400 && status !== 307 && status !== 308);

/** The status by which a proxy asks for a user name: the service never saw the request. */
export const PROXY_REFUSED = 407;

/**
 * Says whether the service may have acted on a request that did not bring what was asked for. The
 * retry and the words of a failure both follow from it.
 */
export function certaintyOf(result: ExchangeResult, writes: boolean): Certainty {
  if (result.responded ? result.status === PROXY_REFUSED : result.neverSent) return 'notSent';
  if (!writes) return 'failed';
  return result.responded && !mayHaveActed(result.status) ? 'refused' : 'uncertain';
}
