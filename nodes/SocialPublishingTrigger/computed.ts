import { fromFunction, webhookDescriptionFields, type INodeParameters } from 'n8n-workflow';

type Computation<Parameters, Value> = (parameters: Parameters) => Value;

/**
 * A function of the node's parameters as an expression for n8n and its editor. They evaluate its
 * source: it must use nothing from outside itself.
 */
export const asExpression = <Parameters>(
  computation: Computation<Parameters, unknown>,
): `={{${string}}}` => `={{(${computation.toString()})($parameter)}}`;

/**
 * Fields of a webhook description that follow from the node's parameters, each given as a function:
 * see {@link asExpression}. n8n 2.35 and later call the functions themselves, since an expression
 * costs a sandbox for each delivery; an earlier n8n has the expressions.
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
  return webhookDescriptionFields?.(each(fromFunction)) ?? each(asExpression);
}
