import { fromFunction, type INodeParameters, webhookDescriptionFields } from 'n8n-workflow';

import { asExpression } from '../shared/expressions';

type Computation<Parameters, Value> = (parameters: Parameters) => Value;

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
