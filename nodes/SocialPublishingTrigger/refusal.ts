/** Ends a delivery that starts no run, with an HTTP status and the JSON body `{ "error": message }`. */
export class Refusal extends Error {
  /** @param message the text that the sender gets */
  constructor(
    readonly status: 400 | 401 | 500,
    message: string,
  ) {
    super(message);
  }
}
