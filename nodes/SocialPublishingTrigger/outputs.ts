import type { INodeExecutionData } from 'n8n-workflow';

/** The parameters of the trigger that decide which events start the workflow and where they come out. */
export interface Selection {
  events: string[];
  outputPerEvent: boolean;
  options: { otherEvents?: boolean };
}

/**
 * The outputs of the node: one, or one per chosen event, named after it, in the order in which they
 * were chosen, and "other" as the last one when other events are let through.
 *
 * n8n evaluates the source of this function as an expression, also in the editor, where parameters
 * may be missing: it uses nothing from outside itself.
 */
export function configuredOutputs(
  parameters: Partial<Selection>,
): Array<{ type: 'main'; displayName?: string }> {
  const names = parameters.events ?? [];
  const all = parameters.options?.otherEvents ? [...names, 'other'] : names;
  return parameters.outputPerEvent && all.length > 0
    ? all.map((displayName) => ({ type: 'main', displayName }))
    : [{ type: 'main' }];
}

/** Whether an event starts the workflow. */
export function isSelected(event: string, { events, options }: Selection): boolean {
  return events.includes(event) || options.otherEvents === true;
}

/**
 * Puts the item of a selected event on its output.
 *
 * @returns the items of each output, as n8n takes them from a trigger
 */
export function route(
  event: string,
  item: INodeExecutionData,
  selection: Selection,
): INodeExecutionData[][] {
  const outputs = configuredOutputs(selection);
  const named = outputs.findIndex(({ displayName }) => displayName === event);
  const target = named === -1 ? outputs.length - 1 : named;
  return outputs.map((_, index) => (index === target ? [item] : []));
}
