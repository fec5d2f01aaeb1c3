/** A failure with a message that is meant for the person at the terminal: what happened, what to do. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
