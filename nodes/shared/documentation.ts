const REPOSITORY =
  'https://github.com/n8n-nodes-social-publishing/n8n-nodes-social-publishing/blob/main';

/** A link to a page of the repository, with its anchor, for notices and panels of n8n. */
export const linkTo = (page: string, text: string): string =>
  `<a href="${REPOSITORY}/${page}" target="_blank">${text}</a>`;
