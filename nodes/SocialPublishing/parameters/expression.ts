import type { Refusal } from './reading';

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** A message of n8n without its tags. */
export const plainText = (html: string): string =>
  html
    .replace(/<\/?[a-z][^<>]*>/gi, (tag) => (/^<(?:br|p|\/p|li|ul)\b/i.test(tag) ? ' ' : ''))
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Why an expression gives no value.
 *
 * @param error what n8n threw when it resolved the expression
 */
export function expressionProblem(error: unknown): Refusal {
  const { message, description } = error as { message?: unknown; description?: unknown };
  const more = typeof description === 'string' ? plainText(description) : '';
  return {
    problem: `has an expression that fails: ${plainText(String(message)).replace(/\.$/, '')}`,
    hint: more === '' ? 'Correct the expression.' : more,
    code: 'failingExpression',
  };
}
