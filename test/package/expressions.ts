const EXPRESSION = /^=\{\{(?<source>.*)\}\}$/s;

/** The sources of all expressions in a node's description, however deep. */
export function expressionsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const source = EXPRESSION.exec(value)?.groups?.['source'];
    return source === undefined ? [] : [source];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(expressionsIn);
}
