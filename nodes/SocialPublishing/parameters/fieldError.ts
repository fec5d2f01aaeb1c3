/** A value that the user must correct before anything can be sent. */
export class FieldError extends Error {
  /**
   * @param path the path of the parameter, such as `overrides.override[1].content`
   * @param field the field as the user sees it, such as `Different for Some Accounts → Account 2 → Text`
   * @param problem what is wrong, to be read after the field: `is empty`
   * @param hint what whoever wrote the value can do about it
   * @param code why it is refused, for machines
   * @param forBuilder what whoever builds the workflow can set instead, such as an option
   */
  constructor(
    readonly path: string,
    readonly field: string,
    readonly problem: string,
    readonly hint: string,
    readonly code = 'invalidField',
    readonly forBuilder?: string,
  ) {
    super(`${field} ${problem}`);
    this.name = 'FieldError';
  }

  /** What to do about it, for who sees both the value and the workflow. */
  get advice(): string {
    return this.forBuilder === undefined ? this.hint : `${this.hint} ${this.forBuilder}`;
  }
}
