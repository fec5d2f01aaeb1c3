import { type IDataObject, type IExecuteFunctions, sleep } from 'n8n-workflow';

import type { Client } from '../service/client';
import type { ServiceCredential } from '../service/http/credential';
import { inParallel } from '../service/inParallel';
import {
  leftOpenFailure,
  noJournalFailure,
  notSettledFailure,
  stillOpenFailure,
} from '../service/messages';
import { failed, type Failure, type Outcome, succeeded } from '../service/outcome';
import type { WriteEndpoint } from '../service/requests';
import { beginningOf } from './beginning';
import type { ServiceClock } from './clock';
import type { JournalWrite, Known, WriteRecord } from './journal';
import { type Entry, type ItemWrite, Ledger } from './ledger';
import { type Look, Lookout, reasonFor } from './look';
import { openRecord } from './record';
import { Recording } from './recording';
import { REQUEST_LIFETIME } from './tolerances';

/** What is to become of a write that an earlier try may have carried out (docs/service.md, "Uncertain writes"). */
export const UNCERTAIN_CHOICES = ['hold', 'look', 'send'] as const;

export type UncertainChoice = (typeof UNCERTAIN_CHOICES)[number];

/** What one item writes. */
export interface PlannedWrite extends ItemWrite {
  readonly credential: ServiceCredential;
  readonly endpoint: WriteEndpoint;
  readonly uncertain: UncertainChoice;
  /** Completes the body when it is about to be sent. */
  readonly complete: () => Promise<Outcome<IDataObject>>;
}

/** What the user is to know of a run beside its results, by item. */
export interface WriteNotes {
  /** Whose results were found by looking. */
  readonly found: readonly number[];
  /** What an earlier try wrote elsewhere. */
  readonly elsewhere: readonly number[];
  /** What an earlier try wrote with another API key. */
  readonly otherKey: readonly number[];
  /** Why a crash could not be prepared for; `undefined` when it was. */
  readonly journalProblem: string | undefined;
}

/** How many writes may be left open by a run before it sends no more. */
const MAX_OPEN = 20;

/**
 * The writes of one run of the node: each is sent once, however often n8n runs the node in one
 * execution, and whatever dies on the way.
 */
export class Writes {
  private readonly ledger: Ledger;

  private journal: WriteRecord | undefined;

  private readonly lookout: Lookout;

  private planned: ReadonlyMap<number, PlannedWrite> = new Map();

  /** What the journal knows the writes by that earlier tries have not settled. */
  private unsettled: ReadonlyMap<number, JournalWrite> = new Map();

  private recording: Recording | undefined;

  /** The items that are looked for at the end of the run. */
  private readonly open = new Set<number>();

  private readonly found: number[] = [];

  private elsewhere: number[] = [];

  private otherKey: number[] = [];

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly memory: IDataObject,
    private readonly clientFor: (credential: ServiceCredential) => Client,
    clock: ServiceClock,
    private readonly concurrency: number,
  ) {
    this.ledger = new Ledger(memory, Number(context.getWorkflowDataProxy(0).$runIndex));
    this.lookout = new Lookout(this.ledger, clock, beginningOf(context));
  }

  /** To be called first: finds the record of what earlier tries may have sent. */
  async begin(): Promise<void> {
    this.journal = await openRecord(this.context, this.memory, REQUEST_LIFETIME);
  }

  /** To be called once, with all writes of the run in their order. */
  plan(writes: readonly PlannedWrite[]): void {
    this.planned = new Map(writes.map((write) => [write.item, write]));
    this.elsewhere = itemsOf(writes.filter((write) => this.ledger.isElsewhere(write)));
    this.otherKey = itemsOf(writes.filter((write) => this.ledger.hasOtherKey(write)));
    if (this.journal === undefined) return;
    const unsettled = writes.filter((write) => this.isToBeSent(write));
    this.unsettled = new Map(
      unsettled.map((write) => [
        write.item,
        { slot: this.ledger.slotOf(write), content: this.ledger.contentOf(write) },
      ]),
    );
  }

  /**
   * To be called once, before the first is sent, with the items that will all be sent, in their order:
   * no other is put on record.
   */
  prepare(items: readonly number[]): void {
    const writes = items.flatMap((item) => {
      const write = this.unsettled.get(item);
      return write === undefined ? [] : [[item, write] as const];
    });
    if (this.journal !== undefined) this.recording = new Recording(this.journal, writes);
  }

  private isToBeSent(write: PlannedWrite): boolean {
    const entry = this.ledger.find(write);
    return entry === undefined || (entry.state === 'uncertain' && write.uncertain === 'send');
  }

  /**
   * What an earlier try in this execution made of an item; nothing is sent.
   *
   * @returns the record that was written, or the failure for what may have been written;
   * `undefined` when the item is to be sent
   */
  earlier({ path }: WriteEndpoint, item: number): Outcome<IDataObject> | undefined {
    const write = this.planned.get(item);
    const entry = write === undefined ? this.ledger.findAnywhere(item) : this.ledger.find(write);
    if (entry === undefined) return undefined;
    if (entry.state === 'done') return succeeded(structuredClone(entry.record), entry.quota);
    if (write === undefined) return failed(leftOpenFailure(path, entry.message));
    return write.uncertain === 'send' ? undefined : failed(this.keepOpen(write));
  }

  /** Writes what one item asks for, unless an earlier try may have written it. */
  async send(item: number): Promise<Outcome<IDataObject>> {
    const outcome = await this.sendOnce(item);
    this.recording?.end();
    return outcome;
  }

  private async sendOnce(item: number): Promise<Outcome<IDataObject>> {
    const write = this.plannedFor(item);
    const isNew = this.ledger.find(write) === undefined;
    if (isNew) {
      const left = this.ledger.leftOpen(write);
      if (left !== undefined) this.ledger.adopt(write, left);
    }
    const known = this.recording === undefined ? 'new' : await this.recording.before(item);
    if (isNew) this.learn(write, known);
    const wasOpen = this.ledger.find(write) !== undefined;
    if (wasOpen && write.uncertain !== 'send') {
      return failed(
        known === undefined && write.uncertain === 'hold'
          ? noJournalFailure(write.path, this.journal?.problem ?? '')
          : this.keepOpen(write),
      );
    }
    return await this.sendOut(write, wasOpen);
  }

  /** Takes note of what the journal knows of an item that this execution has no result for. */
  private learn(write: PlannedWrite, known: Known | undefined): void {
    if (known === 'new' || this.ledger.find(write) !== undefined) return;
    // Without the journal the first try goes on: nothing can have been sent before it.
    if (known === undefined && this.journal?.isRetry !== true) return;
    this.ledger.learn(write, known === 'same');
  }

  private async sendOut(write: PlannedWrite, wasOpen: boolean): Promise<Outcome<IDataObject>> {
    const { endpoint, credential } = write;
    const body = await write.complete();
    if (!body.ok) return body;
    this.ledger.begin(write, Date.now());
    const outcome = await this.clientFor(credential).write(endpoint, body.value);
    if (outcome.ok) {
      this.ledger.done(write, outcome.value, outcome.quota);
      return { ...outcome, value: structuredClone(outcome.value) };
    }
    const { failure } = outcome;
    if (failure.certainty === 'uncertain') {
      this.ledger.leaveOpen(write, failure.message, Date.now());
      return this.isLookedFor(write) ? failed(this.keepOpen(write, failure)) : outcome;
    }
    if (wasOpen) return failed(stillOpenFailure(failure));
    this.ledger.undo(write);
    return outcome;
  }

  private readonly isLookedFor = ({ uncertain, path }: PlannedWrite): boolean =>
    uncertain === 'look' && path === '/posts';

  /** Leaves an item open: to be looked for at the end of the run, or for a person to look. */
  private keepOpen(write: PlannedWrite, failure?: Failure): Failure {
    const entry = this.ledger.find(write);
    const message = entry?.state === 'uncertain' ? entry.message : undefined;
    const left = failure ?? leftOpenFailure(write.path, message);
    if (!this.isLookedFor(write)) return left;
    this.open.add(write.item);
    return { ...left, concernsItemAlone: this.open.size <= MAX_OPEN || failure === undefined };
  }

  /**
   * Ends the run: looks in the service for what is open, and sends again what is not there.
   *
   * @param goesOn whether the run goes on, so that what is missing may be sent
   * @returns what became of the items that were looked for
   */
  async finish(goesOn: boolean): Promise<Map<number, Outcome<IDataObject>>> {
    const outcomes = new Map<number, Outcome<IDataObject>>();
    for (const writes of this.isActive() ? this.openByPlace() : []) {
      for (const [item, outcome] of await this.lookFor(writes, goesOn)) outcomes.set(item, outcome);
    }
    await this.recording?.close((item) => this.ledger.find(this.plannedFor(item)) !== undefined);
    return outcomes;
  }

  private openByPlace(): Array<[PlannedWrite, ...PlannedWrite[]]> {
    const places = new Map<string, [PlannedWrite, ...PlannedWrite[]]>();
    for (const item of this.open) {
      const write = this.plannedFor(item);
      const { baseUrl, apiKey } = write.credential;
      const place = JSON.stringify([baseUrl, apiKey, write.body.workspaceId]);
      const others = places.get(place);
      places.set(place, others === undefined ? [write] : [...others, write]);
    }
    return [...places.values()];
  }

  private async lookFor(
    writes: readonly [PlannedWrite, ...PlannedWrite[]],
    goesOn: boolean,
  ): Promise<Array<[number, Outcome<IDataObject>]>> {
    let look = await this.look(writes);
    const missing = (): PlannedWrite[] =>
      look.complete ? writes.filter(({ item }) => look.findings.get(item)?.kind === 'absent') : [];
    const over = Math.max(0, ...missing().map((write) => this.lastUnderWay(write)));
    const wait = over + REQUEST_LIFETIME - Date.now();
    if (goesOn && missing().length > 0 && wait > 0) {
      await this.pause(wait);
      look = await this.look(writes);
    }
    const toSend = goesOn && this.isActive() ? missing() : [];
    const sent = new Map<number, Outcome<IDataObject>>();
    await inParallel(toSend, this.concurrency, async (write) => {
      sent.set(write.item, await this.sendMissing(write));
      return true;
    });
    return writes.map((write) => [write.item, sent.get(write.item) ?? this.settled(write, look)]);
  }

  private async sendMissing(write: PlannedWrite): Promise<Outcome<IDataObject>> {
    this.ledger.undo(write);
    return await this.sendOut({ ...write, uncertain: 'hold' }, false);
  }

  private settled(
    write: PlannedWrite,
    { findings, complete, quota, problem }: Look,
  ): Outcome<IDataObject> {
    const finding = findings.get(write.item);
    if (finding?.kind === 'found') {
      this.ledger.done(write, finding.post, quota);
      this.found.push(write.item);
      return succeeded(structuredClone(finding.post), quota);
    }
    const entry = this.ledger.find(write);
    const message = entry?.state === 'uncertain' ? entry.message : undefined;
    if (finding?.kind === 'tooFew' || finding?.kind === 'tooMany') {
      this.ledger.suspect(
        write,
        finding.posts.map(({ id }) => id),
      );
    }
    return failed(notSettledFailure(message, problem ?? reasonFor(finding, complete)));
  }

  private async look(writes: readonly [PlannedWrite, ...PlannedWrite[]]): Promise<Look> {
    const [{ endpoint, credential }] = writes;
    const client = this.clientFor(credential);
    return await this.lookout.look(
      writes,
      async (query) => await client.readPage(endpoint.path, 'posts', query),
    );
  }

  /** When the last request of an open write may have gone out, in Unix milliseconds. */
  private lastUnderWay(write: PlannedWrite): number {
    const entry = this.ledger.find(write);
    const endedAt = entry?.state === 'uncertain' ? entry.endedAt : undefined;
    return Math.max(endedAt ?? 0, this.journal?.lastEarlierSend ?? 0);
  }

  /** Puts on record that a request goes out now. */
  async mark(): Promise<void> {
    this.recording?.start();
    await this.journal?.mark(Date.now());
  }

  private isActive(): boolean {
    return this.context.getExecutionCancelSignal()?.aborted !== true;
  }

  private async pause(milliseconds: number): Promise<void> {
    const signal = this.context.getExecutionCancelSignal();
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    signal?.addEventListener('abort', wake);
    await Promise.race([sleep(milliseconds), woken]);
    signal?.removeEventListener('abort', wake);
  }

  /** What became of each item for which something may have been written, also by earlier tries. */
  written(count: number): Map<number, Entry> {
    return new Map(
      Array.from({ length: count }, (_, item) => item).flatMap((item) => {
        const write = this.planned.get(item);
        const entry =
          write === undefined ? this.ledger.findAnywhere(item) : this.ledger.find(write);
        return entry === undefined ? [] : [[item, entry] as const];
      }),
    );
  }

  get notes(): WriteNotes {
    return {
      found: this.found,
      elsewhere: this.elsewhere,
      otherKey: this.otherKey,
      journalProblem: this.journal?.problem,
    };
  }

  private plannedFor(item: number): PlannedWrite {
    const write = this.planned.get(item);
    if (write === undefined) throw new Error(`Item ${item} was not planned`);
    return write;
  }
}

const itemsOf = (writes: readonly PlannedWrite[]): number[] => writes.map(({ item }) => item);
