/**
 * What is known about a request that did not end well. It is what the user's next step depends on.
 *
 * - `notSent`: no request went out.
 * - `refused`: the service answered that it did nothing.
 * - `failed`: a read brought no usable answer; reading changes nothing.
 * - `uncertain`: a write may or may not have been carried out.
 */
export type Certainty = 'notSent' | 'refused' | 'failed' | 'uncertain';

/** Why a request brought no record, in words for the user, free of secrets. */
export interface Failure {
  /** What happened, in one sentence without a full stop. */
  readonly message: string;
  /** What to do next, and what the service said. */
  readonly description: string;
  readonly certainty: Certainty;
  /** The HTTP status of the answer, when there was one. */
  readonly httpCode?: number;
  /** Whether every further request with the same credential would meet the same end. */
  readonly closesCredential?: boolean;
}

/** The `X-RateLimit-*` header values as the service sent them (specification, "Limits"). */
export interface Quota {
  readonly limit?: string;
  readonly remaining?: string;
  readonly reset?: string;
}

/** A value with the quota that the service reported last, or the failure. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly quota: Quota }
  | { readonly ok: false; readonly failure: Failure };

export const failed = (failure: Failure): { ok: false; failure: Failure } => ({
  ok: false,
  failure,
});
