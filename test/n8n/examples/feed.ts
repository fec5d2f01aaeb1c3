import { listen } from '../../support/server';

/** A feed of news on this machine. */
export interface Feed {
  url: string;
  close(): Promise<void>;
}

/** Starts a feed with one article for each title. */
export async function openFeed(...titles: string[]): Promise<Feed> {
  const articles = titles.map(
    (title) =>
      `<item><title>${title}</title><link>https://news.example/${encodeURIComponent(title)}</link><description>About: ${title}</description></item>`,
  );
  const server = await listen((_, response) => {
    response.setHeader('content-type', 'application/rss+xml');
    response.end(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${articles.join('')}</channel></rss>`,
    );
  });
  return { url: `${server.origin}/rss.xml`, close: () => server.close() };
}
