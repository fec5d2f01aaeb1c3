const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A pattern for a text of which only these pieces matter, such as `Accounts … "x" … [item 1]`. */
export const like = (pieces: string): RegExp =>
  new RegExp(`^${pieces.split(/ ?… ?/).map(escaped).join('.*')}$`, 's');
