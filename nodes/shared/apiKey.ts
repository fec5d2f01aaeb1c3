const QUOTES = `"'\`“”„‘’`;
const QUOTED = new RegExp(`^[${QUOTES}](.*)[${QUOTES}]$`, 's');
const BEARER = /^(?:Authorization:\s*)?Bearer\s+/i;

/** Takes off what people paste along: spaces, quotation marks, and `Bearer` before the key. */
export function bareKey(pasted: string): string {
  const bare = pasted.trim().replace(QUOTED, '$1').replace(BEARER, '').trim();
  return bare === pasted ? bare : bareKey(bare);
}
