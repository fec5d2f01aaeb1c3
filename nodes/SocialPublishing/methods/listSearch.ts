import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { folded } from '../parameters/values';
import { accountChoices, agentChoices, type Choice } from './choices';

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
