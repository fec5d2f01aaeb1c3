import {
  type IDataObject,
  type ILoadOptionsFunctions,
  type INodeListSearchResult,
  NodeOperationError,
} from 'n8n-workflow';

import { saying } from '../actions/errors';
import { readForPicker } from '../transport/picker';

const matches = (text: string, filter: string | undefined): boolean =>
  text.toLowerCase().includes((filter ?? '').trim().toLowerCase());

async function search(
  context: ILoadOptionsFunctions,
  list: { path: '/accounts' | '/agents'; field: 'accounts' | 'agents' },
  describe: (record: IDataObject) => string,
  filter: string | undefined,
): Promise<INodeListSearchResult> {
  const outcome = await readForPicker(context, list.path, list.field);
  if (!outcome.ok) {
    const { message, description } = outcome.failure;
    throw saying(message, new NodeOperationError(context.getNode(), message, { description }));
  }
  return {
    results: outcome.value
      .map((record) => ({ name: describe(record), value: record.id as number }))
      .filter(({ name }) => matches(name, filter))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

/** The first of the values that can be shown. */
const shown = (...values: unknown[]): string =>
  String(
    values.find(
      (value) => (typeof value === 'string' && value !== '') || typeof value === 'number',
    ),
  );

const inactive = ({ isActive }: IDataObject): string => (isActive === false ? ', inactive' : '');

/** The accounts of the workspace for a picker (specification, "GET {base_url}/accounts"). */
export async function searchAccounts(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await search(
    this,
    { path: '/accounts', field: 'accounts' },
    (account) =>
      `${shown(account.displayName, account.platformUsername, account.id)} (${shown(account.platform, 'unknown platform')}${inactive(account)})`,
    filter,
  );
}

/** The agents of the workspace for a picker (specification, "GET {base_url}/agents"). */
export async function searchAgents(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await search(
    this,
    { path: '/agents', field: 'agents' },
    (agent) =>
      `${shown(agent.name, agent.id)} (${shown(agent.type, 'unknown type')}${inactive(agent)})`,
    filter,
  );
}
