/**
 * The source of a call.
 *
 * @param computation a self-contained function, as only its source is evaluated
 * @param args the sources of its arguments
 */
export const callOf = (
  computation: (...args: never[]) => unknown,
  ...args: readonly string[]
): string => `(${computation.toString()})(${args.join(', ')})`;

/**
 * Turns a function of the node's parameters into an expression for n8n and its editor. They evaluate
 * its source, so it must be self-contained.
 *
 * @param constants passed to the function after the parameters, as JSON
 */
export const asExpression = <Parameters, Constants extends unknown[]>(
  computation: (parameters: Parameters, ...constants: Constants) => unknown,
  ...constants: Constants
): `={{${string}}}` => {
  const rest = constants.map((constant) => JSON.stringify(constant));
  return `={{${callOf(computation, '$parameter', ...rest)}}}`;
};
