import type { IDataObject } from 'n8n-workflow';

import { platformName } from '../../platforms/platforms';
import { textOf } from '../values';

/** The first of the values that can be shown. */
const shown = (...values: unknown[]): string =>
  values.map(textOf).find((text) => text !== '') ?? '';

/** `@bluedoorbakery`; empty when the account has no handle. */
const handleOf = ({ platformUsername }: IDataObject): string => {
  const handle = textOf(platformUsername);
  return handle === '' || handle.startsWith('@') ? handle : `@${handle}`;
};

/** An account as people tell it from others: `Instagram: Blue Door Bakery (@bluedoorbakery)`. */
export function accountLabel(account: IDataObject): string {
  const platform = platformName(textOf(account.platform));
  const handle = handleOf(account);
  const name = shown(account.displayName, account.platformUsername, `ID ${textOf(account.id)}`);
  return `${platform === '' ? '' : `${platform}: `}${name}${handle === '' ? '' : ` (${handle})`}`;
}

/** What an account is called, the shortest first. Others may be called the same. */
export function namesOf(account: IDataObject): string[] {
  const platform = textOf(account.platform);
  const handle = handleOf(account);
  return [platform, handle, `${platform}:${handle.slice(1)}`];
}

/** Whether an account or an agent is active, which it is unless the service says otherwise. */
export const isActive = (record: IDataObject): boolean => record.isActive !== false;

const INACTIVE = ' – inactive';

/** The label of an account or an agent, marked when it is inactive. */
export const withActivity = (label: string, record: IDataObject): string =>
  isActive(record) ? label : `${label}${INACTIVE}`;
