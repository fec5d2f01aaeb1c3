import { createHash } from 'crypto';

import type { Path } from '../service/http/request';
import { countBy } from './counts';

/**
 * What a write is recognized by when an earlier try may have sent it, the finest grain first
 * (docs/service.md, "Uncertain writes"):
 *
 * - `full`: for whom it is and what it says, with its media and the time asked for
 * - `content`: the same without the time
 * - `any`: any write of this node to the same path and destination
 */
export const GRAINS = ['full', 'content', 'any'] as const;

export type Grain = (typeof GRAINS)[number];

/** What a write says, in values that JSON can hold: the same on each try. */
export interface Identity {
  /** For whom it is and what it says, in words alone. */
  readonly text: unknown;
  /** The same with its media. */
  readonly content: unknown;
  /** The same with the time asked for: `now`, a delay, the next slot, or a moment. */
  readonly full: unknown;
  /**
   * The moment asked for, or that of its slot, in Unix milliseconds; `undefined` where each try comes
   * to another moment, and where the write has none, or none yet.
   */
  readonly moment: number | undefined;
}

/** One write that one item asks for, checked. */
export interface Intent {
  readonly item: number;
  readonly path: Path;
  /** The service's address and the workspace, hashed. */
  readonly destination: string;
  /** The value of each grain, hashed. */
  readonly grains: Readonly<Record<Grain, string>>;
  /** For whom it is and what it says in words alone, hashed. */
  readonly text: string;
  /** See {@link Identity.moment}. */
  readonly moment: number | undefined;
  /** The time that the body holds; `undefined` when it has none. */
  readonly scheduledAt: string | undefined;
}

/** The hash of JSON values, in 24 characters. */
export const hashOf = (...values: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 24);

/** Names where a write goes: which service, and there which workspace. */
export const destinationOf = (baseUrl: string, workspaceId: unknown): string =>
  hashOf(baseUrl, String(workspaceId));

/** The value of the coarsest grain. */
export const anyOf = (path: Path, destination: string): string => hashOf(path, destination);

/** Names a moment at a destination. */
export const momentAt = (destination: string, moment: number): string => `${destination} ${moment}`;

/** Names the moment of an intent at its destination; `undefined` when it has none. */
export const momentOf = ({ destination, moment }: Intent): string | undefined =>
  moment === undefined ? undefined : momentAt(destination, moment);

/** What one item writes, as far as it matters for recognizing it. */
export interface Written {
  readonly item: number;
  readonly path: Path;
  readonly baseUrl: string;
  readonly body: { readonly workspaceId?: unknown; readonly scheduledAt?: unknown };
  readonly identity: Identity;
}

export function intentOf({ item, path, baseUrl, body, identity }: Written): Intent {
  const destination = destinationOf(baseUrl, body.workspaceId);
  const { scheduledAt } = body;
  return {
    item,
    path,
    destination,
    grains: {
      full: hashOf(path, destination, 'full', identity.full),
      content: hashOf(path, destination, 'content', identity.content),
      any: anyOf(path, destination),
    },
    text: hashOf(path, destination, 'text', identity.text),
    moment: identity.moment,
    scheduledAt: typeof scheduledAt === 'string' ? scheduledAt : undefined,
  };
}

/**
 * Keeps contents apart that several intents of a run share: one of them must not stand for another that
 * reads differently on the next try. Their content then includes the time.
 */
export function withDistinctContents<T extends { readonly intent: Intent }>(
  wanted: readonly T[],
): T[] {
  const counts = countBy(wanted.map(({ intent }) => intent.grains.content));
  return wanted.map((one) => {
    const { grains } = one.intent;
    return counts.get(grains.content) === 1
      ? one
      : { ...one, intent: { ...one.intent, grains: { ...grains, content: grains.full } } };
  });
}
