/** A value that the user must correct before anything can be sent. */
export class FieldError extends Error {
  /**
   * @param field the field as the user sees it, such as `Variants → Variant 2 → Content`
   * @param problem what is wrong, to be read after the field: `is empty`
   * @param hint what to do about it, in one sentence
   */
  constructor(
    readonly field: string,
    readonly problem: string,
    readonly hint: string,
  ) {
    super(`${field} ${problem}`);
    this.name = 'FieldError';
  }
}
