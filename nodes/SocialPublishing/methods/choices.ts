import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { getAll as accounts } from '../operations/account/getAll.operation';
import { getAll as agents } from '../operations/agent/getAll.operation';
import { accountLabel, isActive, withActivity } from '../parameters/accounts/accountLabels';
import { idNumber, textOf } from '../parameters/values';
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
