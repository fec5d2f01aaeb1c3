import { fromFunction, type INodeParameters, webhookDescriptionFields } from 'n8n-workflow';

type Computation<Parameters, Value> = (parameters: Parameters) => Value;

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
  const rest = constants.map((constant) => `, ${JSON.stringify(constant)}`).join('');
  return `={{(${computation.toString()})($parameter${rest})}}`;
};

/**
 * Makes fields of a webhook description depend on the node's parameters, each by a function as in
 * {@link asExpression}. n8n 2.35 and later call the functions, which saves a sandbox for each delivery.
 * An older n8n gets expressions.
 */
export function computedFields<Field extends string, Parameters extends INodeParameters>(
  fields: Record<Field, Computation<Parameters, string>>,
): Record<Field, string> {
  const each = <Form>(form: (computation: Computation<Parameters, string>) => Form) => {
    const entries = Object.entries<Computation<Parameters, string>>(fields);
    return Object.fromEntries(
      entries.map(([field, computation]) => [field, form(computation)]),
    ) as Record<Field, Form>;
  };
  return (
    webhookDescriptionFields?.(each(fromFunction)) ??
    each((computation) => asExpression(computation))
  );
}
