import { type Intent, intentOf } from '../../../nodes/SocialPublishing/idempotency/intent';

/** What a post says. */
export interface Says {
  readonly text: string;
  readonly media?: string;
  /** A minute; `undefined` for "now", which is another moment on each try. */
  readonly at?: number | undefined;
  readonly workspaceId?: number;
}

const T0 = Date.UTC(2035, 0, 1);

/** The intent of an item that asks for a post. */
export function intentFor(
  item: number,
  { text, media = '', at, workspaceId = 1 }: Says,
  path: '/posts' | '/agents' = '/posts',
): Intent {
  const moment = at === undefined ? undefined : T0 + 60_000 * at;
  return intentOf({
    item,
    path,
    baseUrl: 'http://service.example',
    body: { workspaceId, scheduledAt: new Date(moment ?? T0).toISOString() },
    identity: { text, content: [text, media], full: [text, media, at ?? 'now'], moment },
  });
}
