/** Why a value is refused. */
export interface Refusal {
  /** What is wrong, to be read after the name of the field: `is empty`. */
  readonly problem: string;
  /** What whoever wrote the value can do about it: it names no option and no expression. */
  readonly hint: string;
  /** What whoever builds the workflow can set instead: an option, an expression. Read after the hint. */
  readonly forBuilder?: string;
  /** The same for machines, such as `noYear`, where a value can be refused for several reasons. */
  readonly code?: string;
}

/** What a value means, or why it is refused. */
export type Reading<T> = { readonly value: T } | Refusal;

/** Whether a reading is a refusal. */
export const isRefusal = (reading: object): reading is Refusal => 'problem' in reading;
