import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { SocialPublishingApi } from '../../../credentials/SocialPublishingApi.credentials';
import { SocialPublishingWebhookApi } from '../../../credentials/SocialPublishingWebhookApi.credentials';
import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';
import { repositoryDir } from '../../../scripts/n8n/paths';
import { anchor, documents, headings, read } from './documents';

const REPOSITORY = 'https://github.com/n8n-nodes-social-publishing/n8n-nodes-social-publishing';
const ADDRESS = new RegExp(String.raw`${REPOSITORY}(?:/blob/main/([\w./-]+))?(#[\w-]+)?`, 'g');

/** What the editor shows or opens: both nodes, their codex files and both credentials. */
const shown = [
  JSON.stringify(new SocialPublishing().description),
  JSON.stringify(new SocialPublishingTrigger().description),
  JSON.stringify(new SocialPublishingApi()),
  JSON.stringify(new SocialPublishingWebhookApi()),
  read('nodes/SocialPublishing/SocialPublishing.node.json'),
  read('nodes/SocialPublishingTrigger/SocialPublishingTrigger.node.json'),
].join('\n');

const links = [...shown.matchAll(ADDRESS)].map(([, path = 'README.md', fragment = '']) => ({
  path,
  fragment: fragment.slice(1),
}));

test('each link in the editor leads to a page and a heading', () => {
  expect(links.length).toBeGreaterThan(10);
  const broken = links.filter(
    ({ path, fragment }) =>
      !existsSync(join(repositoryDir, path)) ||
      (fragment !== '' && !headings(path).map(anchor).includes(fragment)),
  );
  expect(broken).toEqual([]);
});

/** The pages for users: docs/architecture.md and what is not in docs/ is for developers. */
const pages = documents.filter(
  (path) => path.startsWith('docs/') && path !== 'docs/architecture.md',
);

test.each(['README.md', 'examples/README.md', ...pages])(
  '%s is one click from the editor',
  (page) => {
    expect(links.map(({ path }) => path)).toContain(page);
  },
);
