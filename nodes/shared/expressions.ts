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
  return `={{(${computation.toString()})(${['$parameter', ...rest].join(', ')})}}`;
};
