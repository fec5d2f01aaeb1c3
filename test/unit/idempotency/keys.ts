import type { KeyStore } from '../../../nodes/SocialPublishing/idempotency/store';

/** Keys in memory; the oldest go when there are more than `most`, as in n8n's store. */
export class Keys implements KeyStore {
  readonly known = new Set<string>();

  /** How many keys each call was made with, by what it did. */
  readonly calls: Array<readonly ['add' | 'remove' | 'find', number]> = [];

  /** What goes wrong from now on. */
  problem: Error | undefined;

  constructor(private readonly most = Infinity) {}

  async add(keys: readonly string[]): Promise<ReadonlySet<string>> {
    await this.call('add', keys);
    const before = new Set(keys.filter((key) => this.known.has(key)));
    for (const key of keys) this.known.add(key);
    for (const key of this.known) {
      if (this.known.size <= this.most) break;
      this.known.delete(key);
    }
    return before;
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.call('remove', keys);
    for (const key of keys) this.known.delete(key);
  }

  async find(keys: readonly string[]): Promise<ReadonlySet<string>> {
    await this.call('find', keys);
    return new Set(keys.filter((key) => this.known.has(key)));
  }

  private async call(kind: 'add' | 'remove' | 'find', keys: readonly string[]): Promise<void> {
    if (new Set(keys).size < keys.length) throw new Error('Keys in one call differ');
    this.calls.push([kind, keys.length]);
    await Promise.resolve();
    if (this.problem !== undefined) throw this.problem;
  }
}
