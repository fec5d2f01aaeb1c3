import type { Failure } from '../service/outcome';

/** Why a value is refused. */
export interface Refusal {
  /** What is wrong, to be read after the name of the field: `is empty`. */
  readonly problem: string;
  /** What whoever wrote the value can do about it: it names no option and no expression. */
  readonly hint: string;
  /** What whoever builds the workflow can set instead: an option, an expression. Read after the hint. */
  readonly forBuilder?: string | undefined;
  /** The same for machines, such as `noYear`, where a value can be refused for several reasons. */
  readonly code?: string | undefined;
}

/** What a value means, or why it is refused. */
export type Reading<T> = { readonly value: T } | Refusal;

/** Whether a reading is a refusal. */
export const isRefusal = (reading: object): reading is Refusal => 'problem' in reading;

/** The {@link Refusal} of a value. */
export const wrong = (
  problem: string,
  hint: string,
  code?: string,
  forBuilder?: string,
): Refusal => ({ problem, hint, code, forBuilder });

/** What the parameters that hold what people write are called by whoever doesn't know the node, by their paths. */
const SUBJECTS: ReadonlyArray<readonly [path: RegExp, subject: string]> = [
  [/^accounts$/, 'The list of accounts'],
  [/^accounts\[/, 'One of the accounts'],
  [/^accountTexts$|^(?!options).*\bcontent$/, 'The text'],
  [/^(?!options).*\bmediaUrls$/, 'The list of pictures and videos'],
  [/^scheduledAt$/, 'The date'],
];

/** A value that the user must correct before anything can be sent. */
export class FieldError extends Error {
  /**
   * @param path such as `overrides.override[1].content`
   * @param field as the user sees it, such as `Different for Some Accounts → Account 2 → Text`
   */
  constructor(
    readonly path: string,
    readonly field: string,
    readonly refusal: Refusal,
  ) {
    super(`${field} ${refusal.problem}`);
    this.name = 'FieldError';
  }

  get code(): string {
    return this.refusal.code ?? 'invalidField';
  }

  /** What to do about it, for who sees both the value and the workflow. */
  get advice(): string {
    const { hint, forBuilder } = this.refusal;
    return forBuilder === undefined ? hint : `${hint} ${forBuilder}`;
  }

  /**
   * What is wrong and what to do, for whoever wrote the value: it names no field of the node.
   * `undefined` where only the workflow can be corrected.
   */
  get forWriter(): string | undefined {
    const { problem, hint } = this.refusal;
    const [, subject] = SUBJECTS.find(([path]) => path.test(this.path)) ?? [];
    return subject === undefined || this.code === FAILING_EXPRESSION
      ? undefined
      : `${this.field.startsWith('The ') ? this.field : subject} ${problem}. ${hint}`;
  }
}

/** The accounts or posts that are needed to read the fields of an item could not be read. */
export class LookupError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
    this.name = 'LookupError';
  }
}

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

/** What whoever wrote a value is told where only the workflow can be corrected. */
export const NOT_BY_WRITER =
  'It was not sent. The cause is not in what you wrote. Tell whoever built this workflow.';

const FAILING_EXPRESSION = 'failingExpression';

/** Why an expression gives no value, from what n8n threw. */
export function expressionProblem(error: unknown): Refusal {
  const { message, description } = error as { message?: unknown; description?: unknown };
  const more = typeof description === 'string' ? plainText(description) : '';
  return {
    problem: `has an expression that fails: ${plainText(String(message)).replace(/\.$/, '')}`,
    hint: more === '' ? 'Correct the expression.' : more,
    code: FAILING_EXPRESSION,
  };
}
