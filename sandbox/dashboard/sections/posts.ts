import type { Post, PostVariant } from '../../records';
import type { SandboxService } from '../../service';
import { actionButton, badge, latest, relativeTime, row, table } from '../components';
import { type Html, html } from '../html';
import { type Section, shownWorkspaceId } from '../section';

/** The number of posts to show. */
const shown = 12;

export const posts: Section = {
  id: 'posts',
  title: 'Posts',
  view(service) {
    const all = service.store.postsOf(shownWorkspaceId);
    return html`<p>The latest ${Math.min(shown, all.length)} of ${all.length} posts.</p>
      ${table(
        ['ID', 'Status', 'When', 'Variants', ''],
        latest(all, shown).map((post) => postRow(service, post)),
        'There are no posts.',
      )}`;
  },
  actions: {
    publish({ store, publisher }, form) {
      const post = form.record((id) => store.posts[id - 1]);
      publisher.publish(post);
      return `Post ${post.id} is now ${post.status}.`;
    },
  },
};

const tones: Record<string, 'good' | 'bad' | 'busy'> = {
  published: 'good',
  failed: 'bad',
  scheduled: 'busy',
};

function postRow(service: SandboxService, post: Post): Html {
  const { id, status, scheduledAt, variants } = post;
  const publishedAt = variants
    .map((variant) => service.store.platformPostOf(variant)?.publishedAt)
    .find((time) => time !== undefined);
  return row(
    id,
    badge(status, tones[status] ?? 'plain'),
    relativeTime(publishedAt ?? scheduledAt),
    html`<ul>
      ${variants.map((variant) => html`<li>${variantLine(service, variant)}</li>`)}
    </ul>`,
    status === 'scheduled' && actionButton('Publish now', '/posts/publish', { id }),
  );
}

function variantLine({ store }: SandboxService, variant: PostVariant): Html {
  const platform = store.account(variant.socialAccountId)?.platform;
  const platformPost = store.platformPostOf(variant);
  const text = variant.content || variant.mediaUrls.join(' ');
  return html`<span class="platform">${platform}</span> ${
      platformPost ? html`<a href="${platformPost.platformUrl}">${text}</a>` : text
    }
    ${variant.failure && html`<small class="error">${variant.failure.message}</small>`}`;
}
