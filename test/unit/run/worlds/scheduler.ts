/** Virtual time, in milliseconds: what waits goes on in the order of its moments. */
export class Scheduler {
  now = 0;

  private readonly waiting: Array<{ at: number; go: () => void }> = [];

  /** Waits for so long, in virtual time. */
  async wait(milliseconds: number): Promise<void> {
    await new Promise<void>((go) => this.waiting.push({ at: this.now + milliseconds, go }));
  }

  /** Lets time pass until nothing waits any more. @throws when the world doesn't come to rest */
  async run(): Promise<void> {
    for (let steps = 0; ; steps++) {
      await new Promise(setImmediate);
      if (this.waiting.length === 0) return;
      if (steps > 20_000) throw new Error('The world does not come to rest');
      let next = 0;
      for (const [index, { at }] of this.waiting.entries()) {
        if (at < this.waiting[next]!.at) next = index;
      }
      const [{ at, go }] = this.waiting.splice(next, 1) as [{ at: number; go: () => void }];
      this.now = Math.max(this.now, at);
      go();
    }
  }
}
