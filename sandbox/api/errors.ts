/** A refusal: its status and what its JSON body says. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /**
   * @param status the HTTP status
   * @param code a short identifier such as invalid_field
   * @param message what happened and what to do
   * @param field the parameter or body field at fault, such as variants[0].content
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }

  get body() {
    const { code, field, message } = this;
    return { error: { code, ...(field !== undefined && { field }), message } };
  }
}
