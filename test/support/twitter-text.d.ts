declare module 'twitter-text' {
  /** What X's own library says of a text. */
  export function parseTweet(text: string): { weightedLength: number; valid: boolean };
}
