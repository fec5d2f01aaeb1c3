import { apiPath } from '../../api';
import { summarize } from '../../api/analytics';
import { copyable, formatNumber } from '../components';
import { type Html, html } from '../html';
import { type Section, shownWorkspaceId } from '../section';

export const overview: Section = {
  id: 'overview',
  title: 'Overview',
  view({ store, origin }) {
    const platformPosts = store.platformPosts.filter((one) => one.workspaceId === shownWorkspaceId);
    const analytics = summarize(platformPosts, 30, new Date());
    const posts = store.postsOf(shownWorkspaceId);
    const scheduled = posts.filter(({ status }) => status === 'scheduled').length;
    return html`<dl class="pairs">
        <dt>Base URL</dt>
        <dd>${copyable(origin + apiPath)}</dd>
        <dt>Workspace ID</dt>
        <dd>${copyable(String(shownWorkspaceId))}</dd>
      </dl>
      <div class="tiles">
        ${tile('scheduled posts', formatNumber(scheduled))}
        ${tile('posts published in 30 days', formatNumber(analytics.totalPosts))}
        ${tile('impressions', formatNumber(analytics.totalImpressions))}
        ${tile('engagement rate', `${analytics.engagementRate} %`)}
      </div>`;
  },
};

function tile(label: string, value: string): Html {
  return html`<p class="tile"><strong>${value}</strong> ${label}</p>`;
}
