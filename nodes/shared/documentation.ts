const REPOSITORY =
  'https://github.com/n8n-nodes-social-publishing/n8n-nodes-social-publishing/blob/main';

/**
 * A link to a page of the documentation, for the places where n8n shows links: notices and panels.
 *
 * @param page its path in the repository, and the anchor of a heading if there is one
 */
export const linkTo = (page: string, text: string): string =>
  `<a href="${REPOSITORY}/${page}" target="_blank">${text}</a>`;
