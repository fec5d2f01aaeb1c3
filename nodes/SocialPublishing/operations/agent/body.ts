import type { IDataObject } from 'n8n-workflow';

import type { Identity } from '../../idempotency/intent';
import type { Item } from '../../parameters/item';
import { withoutEmpty } from '../../parameters/values';

/** @returns the config of the agent, or `undefined` when nothing is set */
export function configOf(item: Item, path: string): IDataObject | undefined {
  const targetPlatforms = item.list(`${path}.targetPlatforms`);
  const config = {
    ...withoutEmpty({
      targetPlatforms: targetPlatforms.length === 0 ? undefined : targetPlatforms,
      aiProvider: item.text(`${path}.aiProvider`),
    }),
    ...item.jsonObject('options.configJson'),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

const BODY_FIELDS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['type', 'type'],
  ['schedule', 'scheduleMode'],
  ['isActive', 'isActive'],
  ['config', 'config'],
  ['config.aiProvider', 'config.aiProvider'],
  ['config.targetPlatforms', 'config.targetPlatforms'],
]);

/** The editor's field for one of the body. @param prefix empty, or `updateFields.` */
export function agentField(item: Item, bodyPath: string, prefix: string): string | undefined {
  const path = BODY_FIELDS.get(bodyPath.replace(/\[\d+\]$/, ''));
  return path === undefined ? undefined : item.label(`${prefix}${path}`);
}

/** What an agent is recognized by: its name or ID, and what it is given. */
export const agentIdentity = (text: readonly unknown[], given: IDataObject): Identity => ({
  full: [text, given],
  moment: undefined,
});
