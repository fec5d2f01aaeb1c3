const QUOTES = `"'\`“”„‘’`;
const QUOTED = new RegExp(`^[${QUOTES}](.*)[${QUOTES}]$`, 's');
const BEARER = /^(?:Authorization:\s*)?Bearer\s+/i;

/**
 * An API key as people paste it, without what was copied along: blanks, quotation marks around it, and
 * `Bearer` before it.
 */
export function bareKey(pasted: string): string {
  const bare = pasted.trim().replace(QUOTED, '$1').replace(BEARER, '').trim();
  return bare === pasted ? bare : bareKey(bare);
}
