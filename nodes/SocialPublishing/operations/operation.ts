import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Identity } from '../idempotency/intent';
import type { Item } from '../parameters/item';
import type { FieldError } from '../parameters/refusal';
import type { Heads } from '../service/heads';
import type { ReadEndpoint, ReadRequest, WriteEndpoint } from '../service/requests';
import type { Week } from './freeSlots';

interface Described {
  readonly resource: 'account' | 'agent' | 'analytics' | 'post';
  /** The entry in the picker; users read its `action` in the list of actions and below the node's name. */
  readonly option: INodePropertyOptions & { readonly value: string; readonly action: string };
  /** What an AI model is told when the node is a tool; may be an expression. */
  readonly tool: string;
  /** The fields of this operation alone. `index.ts` adds where they show. */
  readonly fields: INodeProperties[];
}

/** What one item reads. */
export interface ItemRead extends ReadRequest {
  /** What the user is told above the output when nothing is there: `No posts in workspace 1`. */
  readonly whenEmpty: string;
  /** Turns what was read into the output, of which `most` are returned. @throws FieldError */
  readonly output?: (records: IDataObject[], total: number | undefined) => IDataObject[];
  readonly most?: number;
}

/** An operation that reads: a page of the specification as fields and a query. */
export interface ReadOperation extends Described {
  readonly kind: 'read';
  readonly endpoint: ReadEndpoint;
  /** What an item asks for; sends nothing, as all items are checked first. @throws FieldError */
  request(item: Item): ItemRead;
}

/** The moment that a post takes, for users who want one post for each. */
export interface Slot {
  readonly workspaceId: number;
  /** ISO 8601. */
  readonly scheduledAt: string;
  /** What becomes of the item when a post has the slot already. */
  readonly ifTaken: 'create' | 'skip' | 'fail';
}

/** For an item that takes the first free slot of a week. */
export interface NextSlot<T> {
  readonly workspaceId: number;
  readonly week: Week;
  /** What becomes of the item in a slot, in Unix milliseconds. */
  at(slot: number): T;
  /** What is said when no slot is free. */
  readonly noneFree: FieldError;
}

/** What one item writes, checked. */
export interface ItemWrite {
  readonly body: IDataObject;
  /** What it is recognized by on a retry. */
  readonly identity: Identity;
  /** Why it must not be sent now, though it may have been sent before: its time has passed. */
  readonly refusal?: FieldError | undefined;
  /** Completes the body just before it is sent, with what is expensive to make, such as copies of files. */
  readonly complete?: (() => Promise<IDataObject>) | undefined;
  readonly slot?: Slot | undefined;
  /** The slot that is still to be found: its body has no time yet. */
  readonly nextSlot?: NextSlot<ItemWrite>;
  /** What the user is told above the output once it is written. */
  readonly note?: Note;
  /** The editor's field for one that the service names, such as `variants[0].socialAccountId`. */
  readonly fieldFor?: (bodyPath: string) => string | undefined;
}

/** What is worth knowing about one write, in words. */
export interface Note {
  readonly due?: { readonly at: number; readonly zone: string };
  readonly info?: (record: IDataObject) => string | undefined;
  readonly warnings?: readonly string[];
}

/** An operation that writes: a page of the specification as fields and a body. */
export interface WriteOperation extends Described {
  readonly kind: 'write';
  readonly endpoint: WriteEndpoint;
  /** What a success has done, in words: `created`. */
  readonly did: string;
  /** What is written, in words: `post`, `agent`. */
  readonly noun: string;
  /** What it is looked for by in the service, when it may exist: the moment of a post, or nothing. */
  readonly lookedFor: 'moment' | 'never';
  /** What an item writes; writes nothing, as all items are checked first. @throws FieldError */
  write(item: Item): ItemWrite | Promise<ItemWrite>;
  /** What an item of the output has beside the record that the service returned. */
  output?(record: IDataObject, write: ItemWrite): IDataObject;
}

/** What a {@link WorkOperation} can look up besides what its items read. */
interface Findings {
  /** Asks for the head of each address once, in bounded time. */
  heads(addresses: readonly string[]): Promise<Heads>;
  /** Lets n8n do other things, to be awaited often. */
  breathe(): Promise<void>;
}

/** What a {@link WorkOperation} has worked out for one item. */
export interface Worked {
  readonly records: IDataObject[];
  /** What in the records the user is warned of above the output, too. */
  readonly warnings: readonly string[];
}

/** An operation that works out its records from fields and from what it reads. It writes nothing. */
export interface WorkOperation<Draft = unknown> extends Described {
  readonly kind: 'work';
  /** What one item comes to by itself; all items are checked first. @throws FieldError */
  draft(item: Item): Promise<Draft>;
  /** Works out the records of all items together, in their order. */
  work(drafts: readonly Draft[], findings: Findings): Promise<readonly Worked[]>;
}

export type Operation = ReadOperation | WriteOperation | WorkOperation;
