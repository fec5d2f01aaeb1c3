/** Runs tasks that share a key one after the other, in the order in which they came. */
export class Turns<Key> {
  private readonly last = new Map<Key, Promise<unknown>>();

  /** @throws what the task threw */
  async take<T>(key: Key, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    this.last.set(key, result);
    try {
      return await result;
    } finally {
      if (this.last.get(key) === result) this.last.delete(key);
    }
  }
}
