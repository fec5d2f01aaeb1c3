import { createHash } from 'crypto';

/** What a write says, in values that JSON can hold: the same on each try (docs/service.md, "Uncertain writes"). */
export interface Identity {
  /** For whom it is, what it says, its media, and the time asked for: `now`, a delay, the next slot, or a moment. */
  readonly full: unknown;
  /** The same without the time; absent where it has none. */
  readonly timeless?: unknown;
  /**
   * The moment asked for, or that of its slot, in Unix milliseconds; `undefined` where each try comes
   * to another moment, and where the write has none, or none yet.
   */
  readonly moment: number | undefined;
}

/** What a write is recognized by. */
export interface Said {
  /** The endpoint, the service's address and the workspace, hashed. */
  readonly destination: string;
  /** The destination and what is said there, hashed. */
  readonly full: string;
}

/** One write that one item asks for, checked. */
export interface Intent extends Said {
  readonly item: number;
  /** The destination and what is said there apart from the time, hashed. */
  readonly timeless: string;
  /** See {@link Identity.moment}. */
  readonly moment: number | undefined;
  /** The time that the body holds; `undefined` when it has none. */
  readonly scheduledAt: string | undefined;
}

/** The hash of JSON values, in 24 characters. */
export const hashOf = (...values: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 24);

/** Names where a write goes: to which endpoint of which service, and there to which workspace. */
export const destinationOf = (path: string, baseUrl: string, workspaceId: unknown): string =>
  hashOf(path, baseUrl, String(workspaceId));

/** What the write of an item is recognized by. */
export function intentOf(
  item: number,
  path: string,
  baseUrl: string,
  body: { readonly workspaceId?: unknown; readonly scheduledAt?: unknown },
  identity: Identity,
): Intent {
  const destination = destinationOf(path, baseUrl, body.workspaceId);
  const { scheduledAt } = body;
  return {
    item,
    destination,
    full: hashOf(destination, identity.full),
    timeless: hashOf(destination, identity.timeless ?? identity.full),
    moment: identity.moment,
    scheduledAt: typeof scheduledAt === 'string' ? scheduledAt : undefined,
  };
}
