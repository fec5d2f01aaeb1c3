import type { INodeExecutionData } from 'n8n-workflow';

import type { TriggerParameters } from './properties';

/**
 * The outputs of the node. There is one, or with Output per Event one for each selected event, named
 * after it and in the order of selection. With Other Events, "other" comes last.
 *
 * n8n and its editor evaluate the source of this function, so it uses nothing from outside itself.
 * In the editor, parameters may be missing.
 */
export function configuredOutputs(
  parameters: Partial<TriggerParameters>,
): Array<{ type: 'main'; displayName?: string }> {
  const events = parameters.events ?? [];
  const names = parameters.options?.otherEvents ? [...events, 'other'] : events;
  return parameters.outputPerEvent && names.length > 0
    ? names.map((displayName) => ({ type: 'main', displayName }))
    : [{ type: 'main' }];
}

/** Whether an event starts the workflow. */
export function isSelected(event: string, { events, options }: TriggerParameters): boolean {
  return events.includes(event) || options?.otherEvents === true;
}

/**
 * Puts the item of a selected event on its output.
 *
 * @returns the items of each output, as n8n expects them from a trigger
 */
export function route(
  event: string,
  item: INodeExecutionData,
  parameters: TriggerParameters,
): INodeExecutionData[][] {
  const outputs = configuredOutputs(parameters);
  const named = outputs.findIndex(({ displayName }) => displayName === event);
  const target = named === -1 ? outputs.length - 1 : named;
  return outputs.map((_, index) => (index === target ? [item] : []));
}
