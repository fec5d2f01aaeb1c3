/** Why a delivery was refused, for the person who waits for an event in a test run. */
export interface Explanation {
  message: string;
  /** What to do about it. */
  description: string;
}

/** Ends a delivery that starts no run, with an HTTP status and the JSON body `{ "error": message }`. */
export class RefusedDelivery extends Error {
  /**
   * @param message what the sender is told
   * @param explanation what a test run shows, which may be more than the sender should know
   */
  constructor(
    readonly status: 400 | 401 | 500,
    message: string,
    readonly explanation: Explanation = { message, description: '' },
  ) {
    super(message);
  }
}
