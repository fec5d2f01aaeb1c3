/** A delivery that starts nothing and is answered with `status` and the JSON body `{ "error": message }`. */
export class Refusal extends Error {
  /**
   * @param status the HTTP status of the answer
   * @param message what the sender is told
   */
  constructor(
    readonly status: 400 | 401 | 500,
    message: string,
  ) {
    super(message);
  }
}
