const QUOTES = `"'\`“”„‘’`;
const QUOTED = new RegExp(`^[${QUOTES}](.*)[${QUOTES}]$`, 's');
const BEARER = /^(?:Authorization:\s*)?Bearer\s+/i;

/**
 * Takes from an API key what people paste along with it: spaces, quotation marks around it, and `Bearer`
 * before it.
 */
export function bareKey(pasted: string): string {
  const bare = pasted.trim().replace(QUOTED, '$1').replace(BEARER, '').trim();
  return bare === pasted ? bare : bareKey(bare);
}
