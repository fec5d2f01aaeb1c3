import type { INodeExecutionData } from 'n8n-workflow';

import type { EventKind } from './events';
import type { TriggerParameters } from './properties';

/** An event kind, as far as its output needs it. */
export type NamedKind = Pick<EventKind, 'value' | 'output'>;

/**
 * The selected events in a few words, for the canvas. n8n evaluates its source in the editor, where
 * parameters may be missing.
 */
export function describeSelection(
  parameters: Partial<TriggerParameters>,
  kinds: NamedKind[],
): string {
  const events = parameters.events ?? [];
  if (parameters.options?.otherEvents) return 'All events';
  return events.length > 2
    ? `${events.length} events`
    : events.map((event) => kinds.find(({ value }) => value === event)?.output ?? event).join(', ');
}

/**
 * One output, or one for each selected event in their order, and one for Other Events. n8n
 * evaluates its source in the editor, where parameters may be missing.
 */
export function configuredOutputs(
  parameters: Partial<TriggerParameters>,
  kinds: NamedKind[],
): Array<{ type: 'main'; displayName?: string }> {
  const events = parameters.events ?? [];
  const names = events.map((event) => kinds.find(({ value }) => value === event)?.output ?? event);
  if (parameters.options?.otherEvents) names.push('Other');
  return parameters.outputPerEvent && names.length > 0
    ? names.map((displayName) => ({ type: 'main', displayName }))
    : [{ type: 'main' }];
}

/** Whether an event starts the workflow. */
export function isSelected(event: string, { events, options }: TriggerParameters): boolean {
  return events.includes(event) || options?.otherEvents === true;
}

/** Puts the item of a selected event on its output, by the event's position in the selection. */
export function route(
  event: string,
  item: INodeExecutionData,
  { events, outputPerEvent, options }: TriggerParameters,
): INodeExecutionData[][] {
  if (!outputPerEvent) return [[item]];
  const outputs = options?.otherEvents ? [...events, undefined] : events;
  const position = events.includes(event) ? events.indexOf(event) : events.length;
  return outputs.map((_, index) => (index === position ? [item] : []));
}
