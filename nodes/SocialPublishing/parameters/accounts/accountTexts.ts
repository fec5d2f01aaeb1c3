import { type Called, isAccount, PROFILE_URL } from './accountNames';

/** What always separates two accounts in a text. */
const STRONG = /\s*[\r\n;]+\s*/;
/** What separates two accounts in a text unless it belongs to a name. */
const WEAK = String.raw`\s*[,|/]\s*(?:and\s+)?|\s+(?:and|&)\s+`;

const IS_WEAK = new RegExp(`^(?:${WEAK})$`, 'i');

const PIECES = new RegExp(`${PROFILE_URL}|${WEAK}|[^]`, 'gi');

/** A text in pieces, with what stands between them: `['x', ', ', 'instagram']`. */
function pieces(text: string): string[] {
  const found: string[] = [''];
  for (const [part] of text.matchAll(PIECES)) {
    if (IS_WEAK.test(part)) found.push(part, '');
    else found[found.length - 1] += part;
  }
  return found;
}

/**
 * The accounts that a text names, in their order: with commas, semicolons, bars, slashes, `and` or
 * line breaks between them. A name may have such a sign itself: the longest text that names an account
 * is one.
 *
 * @param accounts the accounts of the workspace; none before they are read
 */
export function splitAccounts(text: string, accounts: readonly Called[]): string[] {
  return text.split(STRONG).flatMap((line) => {
    const parts = pieces(line);
    const names: string[] = [];
    let from = 0;
    while (from < parts.length) {
      let to = accounts.length === 0 ? from + 1 : parts.length;
      while (to > from + 1 && !isAccount(parts.slice(from, to).join(''), accounts)) to -= 2;
      const name = parts.slice(from, to).join('').trim();
      if (name !== '') names.push(name);
      from = to + 1;
    }
    return names;
  });
}
