/** A value that the user must correct before anything can be sent. */
export class FieldError extends Error {
  /**
   * @param path the path of the parameter, such as `overrides.override[1].content`
   * @param field the field as the user sees it, such as `Different for Some Accounts → Account 2 → Text`
   * @param problem what is wrong, to be read after the field: `is empty`
   * @param hint what to do about it, in one sentence
   * @param code why it is refused, for machines
   */
  constructor(
    readonly path: string,
    readonly field: string,
    readonly problem: string,
    readonly hint: string,
    readonly code = 'invalidField',
  ) {
    super(`${field} ${problem}`);
    this.name = 'FieldError';
  }
}
