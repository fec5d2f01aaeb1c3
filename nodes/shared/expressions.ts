/**
 * An expression from a function of the parameters, and constants as JSON. n8n and its editor
 * evaluate its source, so it must be self-contained.
 */
export const asExpression = <Parameters, Constants extends unknown[]>(
  computation: (parameters: Parameters, ...constants: Constants) => unknown,
  ...constants: Constants
): `={{${string}}}` => {
  const rest = constants.map((constant) => JSON.stringify(constant));
  return `={{(${computation.toString()})(${['$parameter', ...rest].join(', ')})}}`;
};
