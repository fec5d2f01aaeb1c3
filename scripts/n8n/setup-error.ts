/** A failure whose message tells the person at the terminal what happened and what to do. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
