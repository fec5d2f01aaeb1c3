import type { Certainty } from './certainty';

/** What a person looks for in the service. */
export interface LookFor {
  /** The time of the post, ISO 8601. */
  readonly scheduledAt?: string;
  /** The IDs of the posts that may be it. */
  readonly candidates?: readonly unknown[];
}

/** Why a request brought no record, in words for the user, free of secrets. */
export interface Failure {
  /** What happened, for machines: such as `notFound`. It stays when the words change. */
  readonly code: string;
  /** What happened, in one sentence without a full stop. */
  readonly message: string;
  /** What to do next, and what the service said. */
  readonly description: string;
  /** What an AI model is told instead of the description: it can't change the node. */
  readonly forModel?: string;
  /** What happened and what to do, for whoever wrote what was to be sent, and doesn't know the workflow. */
  readonly forWriter?: string;
  readonly certainty: Certainty;
  /** The path of the parameter that must be corrected, such as `accounts[0]`. */
  readonly field?: string;
  readonly httpCode?: number;
  /** Whether every further request with the same credential would fail in the same way. */
  readonly closesCredential?: boolean;
  /** Whether it concerns this item alone, so that the others are still sent. */
  readonly concernsItemAlone?: boolean;
  readonly lookFor?: LookFor;
}

/** The `X-RateLimit-*` header values as the service sent them (docs/service.md, "Quota"). */
export interface Quota {
  readonly limit?: string;
  readonly remaining?: string;
  readonly reset?: string;
}

export interface Succeeded<T> {
  readonly ok: true;
  readonly value: T;
  /** The quota that the service reported last. */
  readonly quota: Quota;
  /** What the user should know about the value, such as that posts may be missing. */
  readonly hint?: string;
  /** What is warned of in it; of a write: how the record differs from what was asked for. */
  readonly warnings?: readonly string[];
  /** Of a list: how many records the service has, asked for or not; absent when it doesn't say. */
  readonly total?: number;
  /** Of a list in pages: whether all records that were asked for are proven to be there. */
  readonly complete?: boolean;
}

export interface Failed {
  readonly ok: false;
  readonly failure: Failure;
}

/** What came of a request. It is returned and never thrown, so that nothing it says is lost. */
export type Outcome<T> = Succeeded<T> | Failed;

export const succeeded = <T>(value: T, quota: Quota): Succeeded<T> => ({ ok: true, value, quota });

export const failed = (failure: Failure): Failed => ({ ok: false, failure });
