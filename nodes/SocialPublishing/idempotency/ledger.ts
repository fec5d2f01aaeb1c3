import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/json';
import type { ServiceCredential } from '../service/http/credential';
import type { Path } from '../service/http/request';
import type { Quota } from '../service/outcome';

/** A write of one item, as far as the ledger needs to know it. */
export interface ItemWrite {
  readonly item: number;
  readonly path: Path;
  readonly body: IDataObject;
  readonly credential: Pick<ServiceCredential, 'baseUrl' | 'apiKey'>;
}

/** A write that may or may not have been carried out. */
export interface Uncertain {
  readonly state: 'uncertain';
  /** The message that it ended with; absent when it did not end. */
  readonly message?: string;
  /** When it was sent first, in Unix milliseconds; absent when this is not known. */
  readonly sentAt?: number;
  /** When it came to its end, in Unix milliseconds; absent when this is not known. */
  readonly endedAt?: number;
  /** The time that the post was sent with; absent when this is not known, or there was none. */
  readonly scheduledAt?: string;
  /** The IDs of the posts that the service has for that time, when it was looked for. */
  readonly candidates?: readonly unknown[];
}

/** What became of one write in this execution. */
export type Entry =
  { readonly state: 'done'; readonly record: IDataObject; readonly quota: Quota } | Uncertain;

/** An entry with what it was made for. */
type Kept = Entry & {
  /** What was asked for, with a number that tells apart two items that asked for the same. */
  readonly content: string;
  /** The API key, hashed. */
  readonly key: string;
};

const isKept = (value: unknown): value is Kept =>
  isObject(value) &&
  typeof value.content === 'string' &&
  (value.state === 'uncertain' ||
    (value.state === 'done' && isObject(value.record) && isObject(value.quota)));

const hash = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);

/** What a write is known by, hashed. */
interface Hashes {
  /** Where it goes: to which service, and there to which workspace. */
  readonly place: string;
  /** What it asks for, and where. */
  readonly wanted: string;
  /** The API key. */
  readonly key: string;
}

/** The hashes of each write, made once: the ledger is asked for a write again and again. */
const hashes = new WeakMap<ItemWrite, Hashes>();

function hashesOf(write: ItemWrite): Hashes {
  const known = hashes.get(write);
  if (known !== undefined) return known;
  const { path, body, credential } = write;
  const place = hash(credential.baseUrl, body.workspaceId);
  const made = { place, wanted: hash(path, place, body), key: hash(credential.apiKey) };
  hashes.set(write, made);
  return made;
}

const placeOf = (write: ItemWrite): string => hashesOf(write).place;

const timeOf = ({ body }: ItemWrite): Pick<Uncertain, 'scheduledAt'> =>
  typeof body.scheduledAt === 'string' ? { scheduledAt: body.scheduledAt } : {};

/**
 * What the node has written in this execution, by run, item, path and place.
 *
 * n8n's "Retry On Fail" runs the whole node again, and so does a resumed execution. The ledger lets
 * what was written be returned instead of written again, and keeps what is uncertain from being sent
 * twice. A body is not part of the key: an expression such as `$now` gives another body on each try
 * of the same intent. The place is: for another service or workspace the same item is another intent.
 * A new execution has an empty ledger: it is a new intent.
 *
 * Another run of the node is another intent, too: a loop creates in each round. But n8n also retries
 * an AI tool in a new run, and so do loops that users build as a retry. So what a run left open is
 * known to later runs, by what it asked for apart from the time.
 */
export class Ledger {
  /** The runs of the node count from 0 here, also where n8n goes on counting after a crash. */
  private readonly run: number;

  private readonly prefix: string;

  /** The number of each run by n8n's index. */
  private readonly runs: IDataObject;

  /** Under which slot each content is kept. */
  private readonly contents = new Map<string, string>();

  /** Under which slot each item of this run was kept last. */
  private readonly items = new Map<number, string>();

  /**
   * @param store where to keep it for the rest of the execution
   * @param runIndex which run of the node this is, as n8n counts
   */
  constructor(
    private readonly store: IDataObject,
    runIndex: number,
  ) {
    const runs = isObject(store.runs) ? store.runs : {};
    const known = runs[String(runIndex)];
    this.run = typeof known === 'number' ? known : Object.keys(runs).length;
    this.prefix = `write:${this.run}:`;
    this.runs = { ...runs, [String(runIndex)]: this.run };
    for (const [slot, value] of Object.entries(store)) {
      if (isKept(value)) this.index(slot, value);
    }
  }

  private index(slot: string, { content }: Kept): void {
    this.contents.set(content, slot);
    if (slot.startsWith(this.prefix))
      this.items.set(parseInt(slot.slice(this.prefix.length)), slot);
  }

  /** Names the item of this run and the place that it writes to. */
  slotOf(write: ItemWrite): string {
    return `${this.prefix}${write.item}:${write.path}:${placeOf(write)}`;
  }

  /** Names what an item asks for and where: one that asks for the same has another name. */
  contentOf(write: ItemWrite): string {
    const slot = this.slotOf(write);
    const own = this.kept(slot);
    const { wanted } = hashesOf(write);
    if (own?.content.startsWith(wanted) === true) return own.content;
    for (let number = 0; ; number++) {
      const content = `${wanted}:${number}`;
      const keeper = this.contents.get(content);
      if (keeper === undefined || keeper === slot) {
        this.contents.set(content, slot);
        return content;
      }
    }
  }

  find(write: ItemWrite): Entry | undefined {
    return this.kept(this.slotOf(write));
  }

  /** What is known of an item whose fields cannot be read, wherever it was written. */
  findAnywhere(item: number): Entry | undefined {
    const slot = this.items.get(item);
    return slot === undefined ? undefined : this.kept(slot);
  }

  /** Whether the item was written elsewhere: at another service, or in another workspace. */
  isElsewhere(write: ItemWrite): boolean {
    return this.find(write) === undefined && this.findAnywhere(write.item)?.state === 'done';
  }

  /** Whether the item was written with another API key. */
  hasOtherKey(write: ItemWrite): boolean {
    const kept = this.kept(this.slotOf(write));
    return kept?.state === 'done' && kept.key !== hashesOf(write).key;
  }

  /** To be called before a write is sent, so that nothing that interrupts it can hide it. */
  begin(write: ItemWrite, now: number): void {
    const known = this.find(write);
    if (known?.state === 'uncertain') return;
    this.keep(write, { state: 'uncertain', sentAt: now, ...timeOf(write) });
  }

  done(write: ItemWrite, record: IDataObject, quota: Quota): void {
    this.keep(write, { state: 'done', record, quota });
  }

  /** To be called when it is certain that nothing was written. */
  undo(write: ItemWrite): void {
    const slot = this.slotOf(write);
    const kept = this.kept(slot);
    if (kept === undefined) return;
    delete this.store[slot];
    this.contents.delete(kept.content);
  }

  /**
   * To be called for what an earlier execution may have sent, of which it left no result.
   *
   * @param isSame whether it is certain that the very same was sent, its time included
   */
  learn(write: ItemWrite, isSame: boolean): void {
    this.keep(write, {
      state: 'uncertain',
      ...(isSame ? timeOf(write) : {}),
    });
    this.keepOpen(write, isSame);
  }

  /** To be called for what an earlier run left open that asked for the same, the time aside. */
  adopt(write: ItemWrite, { scheduledAt, ...open }: Uncertain): void {
    const isSame = scheduledAt === timeOf(write).scheduledAt;
    this.keep(write, { ...open, ...(isSame ? timeOf(write) : {}) });
  }

  /** To be called when it stays unknown whether something was written. */
  leaveOpen(write: ItemWrite, message: string, now: number): void {
    const known = this.find(write);
    this.keep(write, {
      ...(known?.state === 'uncertain' ? known : { state: 'uncertain' as const }),
      message,
      endedAt: now,
    });
    this.keepOpen(write, false);
  }

  /** To be called when the service has posts that an open write may or may not have created. */
  suspect(write: ItemWrite, candidates: readonly unknown[]): void {
    const known = this.find(write);
    if (known?.state === 'uncertain') this.keep(write, { ...known, candidates });
  }

  /**
   * What an earlier run left open that asked for the same, the time aside: with the same time, if there
   * is one. Of what the journal knows with its time, another time is another intent.
   */
  leftOpen(write: ItemWrite): Uncertain | undefined {
    const open = [true, false]
      .flatMap((isTimed) => this.openSlots(this.openKey(write, isTimed)))
      .filter((slot) => !slot.startsWith(this.prefix))
      .map((slot) => this.kept(slot))
      .filter((entry) => entry?.state === 'uncertain');
    const { scheduledAt } = timeOf(write);
    return open.find((entry) => entry.scheduledAt === scheduledAt) ?? open[0];
  }

  /** The IDs of what this execution has written at the place of a write. */
  resultIds(write: ItemWrite): Set<unknown> {
    const place = `:${placeOf(write)}`;
    return new Set(
      [...this.contents.values()].flatMap((slot) => {
        const kept = slot.endsWith(place) ? this.kept(slot) : undefined;
        return kept?.state === 'done' ? [kept.record.id] : [];
      }),
    );
  }

  /** Makes known to later runs what stays open. */
  private keepOpen(write: ItemWrite, isTimed: boolean): void {
    const key = this.openKey(write, isTimed);
    this.store[key] = [...new Set([...this.openSlots(key), this.slotOf(write)])];
  }

  private openSlots(key: string): string[] {
    const slots = this.store[key];
    return Array.isArray(slots) ? slots.map(String) : [];
  }

  private openKey(write: ItemWrite, isTimed: boolean): string {
    const { body, path } = write;
    const asked = isTimed ? body : { ...body, scheduledAt: undefined };
    return `open:${hash(path, placeOf(write), asked)}`;
  }

  private kept(slot: string): Kept | undefined {
    const value = this.store[slot];
    return isKept(value) ? value : undefined;
  }

  private keep(write: ItemWrite, entry: Entry): void {
    const slot = this.slotOf(write);
    const kept: Kept = {
      ...entry,
      content: this.contentOf(write),
      key: hashesOf(write).key,
    };
    this.store.runs = this.runs;
    this.store[slot] = kept;
    this.index(slot, kept);
  }
}
