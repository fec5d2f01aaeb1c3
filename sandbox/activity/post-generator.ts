import type { NewPost, Post } from '../records';
import type { Store } from '../records/store';
import type { Scheduler } from '../time/scheduler';
import type { Publisher } from './publisher';

const yearMs = 365 * 24 * 60 * 60 * 1000;

type GeneratedPost = Partial<NewPost> & Pick<NewPost, 'workspaceId'>;

/** Adds posts to a workspace, as somebody else who uses the service would. */
export class PostGenerator {
  constructor(
    private readonly store: Store,
    private readonly publisher: Publisher,
    private readonly scheduler: Scheduler,
    private readonly now: () => Date,
  ) {}

  /** Adds posts. By default they are a year ahead and for the first account, if there is one. */
  add(count: number, post: GeneratedPost): Post[] {
    const [account] = this.store.accountsOf(post.workspaceId);
    return Array.from({ length: count }, (_, index) => {
      const added = this.store.addPost({
        status: 'scheduled',
        scheduledAt: new Date(Date.now() + yearMs).toISOString(),
        createdAt: this.now().toISOString(),
        variants: account ? [{ socialAccountId: account.id, content: `Post ${index + 1}` }] : [],
        ...post,
      });
      this.publisher.schedule(added);
      return added;
    });
  }

  /**
   * Adds one post every `intervalMs` milliseconds.
   * @returns a function that stops it
   */
  addEvery(intervalMs: number, post: GeneratedPost): () => void {
    let cancel: () => void;
    const scheduleNext = () => {
      cancel = this.scheduler.at(Date.now() + intervalMs, () => {
        this.add(1, post);
        scheduleNext();
      });
    };
    scheduleNext();
    return () => cancel();
  }
}
