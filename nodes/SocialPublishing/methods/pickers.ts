import type {
  IDataObject,
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodePropertyOptions,
} from 'n8n-workflow';

import { getAll as accounts } from '../operations/account/getAll.operation';
import { getAll as agents } from '../operations/agent/getAll.operation';
import { WORKFLOW_ZONE } from '../operations/post/fields/time.fields';
import { accountLabel, isActive, withActivity } from '../parameters/accounts/accountLabels';
import { workflowZoneLabel, zoneList } from '../parameters/times/zoneList';
import { zoneOf } from '../parameters/times/zones';
import { folded, idNumber, textOf } from '../parameters/values';
import { operationError } from '../run/errors';
import type { ReadEndpoint } from '../service/requests';
import { readList } from './cachedLists';

/** A record as a picker offers it. */
export interface Choice {
  readonly id: number;
  readonly label: string;
  readonly isActive: boolean;
}

/** @throws NodeOperationError when the list cannot be read */
async function readChoices(
  context: ILoadOptionsFunctions,
  endpoint: ReadEndpoint,
  labelOf: (record: IDataObject) => string,
): Promise<Choice[]> {
  const outcome = await readList(context, endpoint);
  if (!outcome.ok) throw operationError(context.getNode(), outcome.failure);
  return outcome.value
    .flatMap((record): Choice[] => {
      const id = idNumber(record.id);
      const label = withActivity(labelOf(record), record);
      return id === undefined ? [] : [{ id, label, isActive: isActive(record) }];
    })
    .sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.label.localeCompare(b.label));
}

const agentLabel = ({ id, name, type }: IDataObject): string =>
  `${textOf(name) || `ID ${textOf(id)}`} (${textOf(type) || 'unknown type'})`;

/** The accounts of the workspace, the active ones first. */
export const accountChoices = (context: ILoadOptionsFunctions): Promise<Choice[]> =>
  readChoices(context, accounts.endpoint, accountLabel);

/** The agents of the workspace, the active ones first. */
export const agentChoices = (context: ILoadOptionsFunctions): Promise<Choice[]> =>
  readChoices(context, agents.endpoint, agentLabel);

/** Whether a choice is found by what was typed: all words of it in its label, or its whole ID. */
function isFound({ id, label }: Choice, filter: string | undefined): boolean {
  const typed = folded(filter ?? '');
  return String(id) === typed || typed.split(/\s+/).every((word) => folded(label).includes(word));
}

async function search(
  choices: Promise<Choice[]>,
  filter: string | undefined,
): Promise<INodeListSearchResult> {
  const found = (await choices).filter((choice) => isFound(choice, filter));
  return { results: found.map(({ id, label }) => ({ name: label, value: id })) };
}

/** The accounts of the workspace for a picker of one (docs/service.md, "GET /accounts"). */
export async function searchAccounts(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await search(accountChoices(this), filter);
}

/** The agents of the workspace for a picker (docs/service.md, "GET /agents"). */
export async function searchAgents(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await search(agentChoices(this), filter);
}

/** The accounts of the workspace for a picker of several, which n8n searches by their labels. */
export async function getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const choices = await accountChoices(this);
  return choices.map(({ id, label }) => ({ name: label, value: id }));
}

/** The time zones by their cities, whose labels n8n searches; the workflow's is the empty value. */
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
