import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { WORKFLOW_ZONE } from '../operations/post/fields/time.fields';
import { workflowZoneLabel, zoneList } from '../parameters/times/zoneList';
import { zoneOf } from '../parameters/times/zones';
import { accountChoices } from './choices';

/** The accounts of the workspace for a picker of several, which n8n searches by their labels. */
export async function getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const choices = await accountChoices(this);
  return choices.map(({ id, label }) => ({ name: label, value: id }));
}

/**
 * The time zones: that of the workflow, as the empty value, UTC, and all others by their cities. n8n
 * searches their labels for what is typed.
 */
export function getTimeZones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const now = Date.now();
  // Some versions of n8n don't resolve the expression here. Then the name is left out.
  const workflow = this.getCurrentNodeParameter(WORKFLOW_ZONE.name);
  const isKnown = typeof workflow === 'string' && zoneOf(workflow) !== undefined;
  return Promise.resolve([
    { name: isKnown ? workflowZoneLabel(workflow, now) : "Workflow's zone", value: '' },
    ...zoneList(now).map(({ name, label }) => ({ name: label, value: name })),
  ]);
}
