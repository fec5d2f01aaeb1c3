import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/json';
import type { Path } from './http/request';
import type { Quota } from './outcome';

/** What became of one write in this execution. */
export type Entry =
  | { readonly state: 'done'; readonly record: IDataObject; readonly quota: Quota }
  | {
      readonly state: 'uncertain';
      /** The message that it ended with; absent when it did not end. */
      readonly message?: string;
    };

const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  (value.state === 'uncertain' ||
    (value.state === 'done' && isObject(value.record) && isObject(value.quota)));

/**
 * What the node has written in this execution, by run, item and path.
 *
 * n8n's "Retry On Fail" runs the whole node again, and so does a resumed execution. The ledger lets
 * what was written be returned instead of written again, and keeps what is uncertain from being sent
 * twice. A body is not part of the key: an expression such as `$now` gives another body on each try
 * of the same intent. A new execution has an empty ledger: it is a new intent.
 *
 * Another run of the node is another intent, too: a loop creates in each round. But n8n also retries
 * an AI tool in a new run, and so do loops that users build as a retry. So what a run left open is
 * known to later runs, by what it asked for.
 */
export class Ledger {
  private readonly prefix: string;

  /**
   * @param store where to keep it for the rest of the execution
   * @param run which run of the node in the execution this is
   */
  constructor(
    private readonly store: IDataObject,
    private readonly run: number,
  ) {
    this.prefix = `write:${run}:`;
  }

  private key(item: number, path: Path): string {
    return `${this.prefix}${item}:${path}`;
  }

  find(item: number, path: Path): Entry | undefined {
    const entry = this.store[this.key(item, path)];
    return isEntry(entry) ? entry : undefined;
  }

  /** What became of each item of this run for which something may have been written. */
  entries(): Map<number, Entry> {
    return new Map(
      Object.entries(this.store).flatMap(([key, entry]) =>
        key.startsWith(this.prefix) && isEntry(entry)
          ? [[parseInt(key.slice(this.prefix.length)), entry] as const]
          : [],
      ),
    );
  }

  /** To be called before a write is sent, so that nothing that interrupts it can hide it. */
  begin(item: number, path: Path): void {
    this.store[this.key(item, path)] = { state: 'uncertain' };
  }

  done(item: number, path: Path, record: IDataObject, quota: Quota): void {
    this.store[this.key(item, path)] = { state: 'done', record, quota };
  }

  /** To be called when it is certain that nothing was written. */
  undo(item: number, path: Path): void {
    delete this.store[this.key(item, path)];
  }

  /** To be called when it stays unknown whether something was written. */
  leaveOpen(item: number, path: Path, body: IDataObject, message: string): void {
    this.store[this.key(item, path)] = { state: 'uncertain', message };
    this.store[openKey(path, body)] ??= this.run;
  }

  /** Whether an earlier run left open a write that asked for the same. */
  isLeftOpen(path: Path, body: IDataObject): boolean {
    const run = this.store[openKey(path, body)];
    return typeof run === 'number' && run < this.run;
  }
}

function openKey(path: Path, body: IDataObject): string {
  const hash = createHash('sha256').update(JSON.stringify([path, body]));
  return `open:${hash.digest('hex').slice(0, 32)}`;
}
