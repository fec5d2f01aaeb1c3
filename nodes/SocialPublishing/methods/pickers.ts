import type {
  IDataObject,
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodePropertyOptions,
} from 'n8n-workflow';

import { getAll as agents } from '../operations/agent/getAll.operation';
import { WORKFLOW_ZONE } from '../operations/post/fields/time.fields';
import { accountLabel, isActive, withActivity } from '../parameters/accounts/accountLabels';
import { workflowZoneLabel, zoneList } from '../parameters/times/zoneList';
import { zoneOf } from '../parameters/times/zones';
import { folded, idNumber, textOf } from '../parameters/values';
import { operationError } from '../run/errors';
import { ACCOUNTS, type ReadEndpoint } from '../service/requests';
import { readList } from './cachedLists';

/** A record as a picker offers it. */
interface Choice {
  readonly name: string;
  readonly value: number;
  readonly isActive: boolean;
}

/** The records of a list, the active ones first. @throws NodeOperationError when it cannot be read */
async function choicesOf(
  context: ILoadOptionsFunctions,
  endpoint: ReadEndpoint,
  labelOf: (record: IDataObject) => string,
): Promise<Choice[]> {
  const outcome = await readList(context, endpoint);
  if (!outcome.ok) throw operationError(context.getNode(), outcome.failure);
  return outcome.value
    .flatMap((record): Choice[] => {
      const value = idNumber(record.id);
      const name = withActivity(labelOf(record), record);
      return value === undefined ? [] : [{ name, value, isActive: isActive(record) }];
    })
    .sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.name.localeCompare(b.name));
}

const agentLabel = ({ id, name, type }: IDataObject): string =>
  `${textOf(name) || `ID ${textOf(id)}`} (${textOf(type) || 'unknown type'})`;

/** Those that are found by what was typed: all words of it in the name, or the whole ID. */
function found(choices: readonly Choice[], filter = ''): INodeListSearchResult {
  const typed = folded(filter);
  const words = typed.split(/\s+/);
  return {
    results: choices
      .filter(
        ({ name, value }) =>
          String(value) === typed || words.every((word) => folded(name).includes(word)),
      )
      .map(({ name, value }) => ({ name, value })),
  };
}

/** The accounts of the workspace for a picker of one (docs/service.md, "GET /accounts"). */
export async function searchAccounts(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return found(await choicesOf(this, ACCOUNTS, accountLabel), filter);
}

/** The agents of the workspace for a picker (docs/service.md, "GET /agents"). */
export async function searchAgents(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return found(await choicesOf(this, agents.endpoint, agentLabel), filter);
}

/** The accounts of the workspace for a picker of several, which n8n searches by their labels. */
export async function getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const choices = await choicesOf(this, ACCOUNTS, accountLabel);
  return choices.map(({ name, value }) => ({ name, value }));
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
