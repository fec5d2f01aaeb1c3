import type { PlatformPost } from '../records';
import type { SandboxService } from '../service';
import { formatNumber, relativeTime } from './components';
import { type Html, html, type HtmlContent } from './html';
import { type Section, shownWorkspaceId } from './section';

/** The result of the last action, shown at the top of the page. */
export interface Notice {
  tone: 'good' | 'bad';
  text: HtmlContent;
}

/** The dashboard: one page with all sections. */
export function dashboardPage(
  service: SandboxService,
  sections: readonly Section[],
  notice: Notice | undefined,
): Html {
  const workspace = service.store.workspace(shownWorkspaceId);
  return layout(
    'Social Publishing Sandbox',
    html`<header>
        <h1><img src="/assets/icon.svg" alt="" width="28" height="28" /> Social Publishing</h1>
        <p>${workspace?.name} <span class="badge plain">sandbox</span></p>
        <nav>${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
      </header>
      <main>
        ${notice && html`<p class="notice ${notice.tone}" role="status">${notice.text}</p>`}
        ${sections.map(
          (section) =>
            html`<section id="${section.id}">
              <h2>${section.title}</h2>
              ${section.view(service)}
            </section>`,
        )}
      </main>`,
  );
}

/** A published post as its simulated platform shows it. */
export function platformPostPage({ store }: SandboxService, platformPost: PlatformPost): Html {
  const account = store.account(platformPost.socialAccountId);
  return layout(
    `${account?.displayName} on ${platformPost.platform}`,
    html`<main class="single">
      <article>
        <h1>${account?.displayName}</h1>
        <p class="quiet">
          @${account?.platformUsername} · ${platformPost.platform} (simulated) ·
          ${relativeTime(platformPost.publishedAt)}
        </p>
        <p class="content">${platformPost.content}</p>
        ${platformPost.mediaUrls.map((url) => html`<p><a href="${url}">${url}</a></p>`)}
        <p class="quiet">
          ${formatNumber(platformPost.impressions)} impressions ·
          ${formatNumber(platformPost.engagements)} engagements
        </p>
      </article>
      <p><a href="/#posts">Back to the dashboard</a></p>
    </main>`,
  );
}

function layout(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/assets/style.css" />
        <script src="/assets/live.js" defer></script>
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}
