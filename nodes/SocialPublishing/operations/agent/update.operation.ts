import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Item } from '../../parameters/item';
import { withoutEmpty } from '../../parameters/values';
import { filledByPeople, fromModel, prefilledForTool, recordPicker } from '../fields';
import type { WriteOperation } from '../operation';
import { uncertainAgentsOption, writeOptions } from '../options';
import {
  activeField,
  configField,
  configJsonOption,
  nameField,
  scheduleFields,
  typeFields,
} from './agent.fields';
import { agentField, agentIdentity, configOf } from './body';
import { cronAt, scheduleNote } from './schedule';

const FIELDS = 'updateFields';

const agentPicker = recordPicker(
  {
    displayName: 'Agent',
    name: 'agentId',
    required: true,
    description:
      'The agent to change. The node sends its ID as "id", which the service does not document. Check the result the first time.',
  },
  'searchAgents',
);

const changesField: INodeProperties = {
  displayName: 'Fields to Update',
  name: FIELDS,
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  description: 'What to change. Only fields that you add are sent.',
  options: [activeField, configField, nameField, ...scheduleFields, ...typeFields],
};

/** Changes an agent (docs/service.md, "POST /agents"), which no document says how to name: by `id`. */
export const update: WriteOperation = {
  resource: 'agent',
  option: {
    name: 'Update',
    value: 'update',
    action: 'Update an agent',
    description: 'Change an AI agent, for example pause it',
  },
  kind: 'write',
  endpoint: { method: 'POST', path: '/agents', field: 'agent', answer: 'written' },
  did: 'updated',
  noun: 'agent',
  lookedFor: 'never',
  tool: 'Changes an AI agent, for example pauses it, and returns it.',
  fields: [
    filledByPeople(agentPicker),
    prefilledForTool(agentPicker, {
      mode: 'id',
      value: fromModel({
        key: 'agent_id',
        tells: 'The ID of the agent to change, from the list of agents.',
        type: 'number',
      }),
    }),
    filledByPeople(changesField),
    prefilledForTool(changesField, {
      [activeField.name]: fromModel({
        key: 'active',
        tells: 'Whether the agent runs on its schedule: false pauses it.',
        type: 'boolean',
      }),
    }),
    writeOptions([], [uncertainAgentsOption], [configJsonOption]),
  ],
  write(item) {
    const id =
      item.id('agentId') ?? item.refuse('agentId', 'is empty', 'Select the agent to change.');
    const changes = { ...changesOf(item), ...item.jsonObject('options.customBodyFields') };
    if (Object.keys(changes).length === 0) {
      item.refuse(FIELDS, 'is empty', 'Add at least one field to change.');
    }
    return {
      body: { workspaceId: item.workspaceId(), id, ...changes },
      identity: agentIdentity(['update', id], changes),
      note: scheduleNote,
      fieldFor: (bodyPath) =>
        bodyPath === 'id' ? item.label('agentId') : agentField(item, bodyPath, `${FIELDS}.`),
    };
  },
};

function changesOf(item: Item): IDataObject {
  const path = (name: string): string => `${FIELDS}.${name}`;
  const has = (name: string): boolean => item.isAdded(path(name));
  return withoutEmpty({
    name: has('name')
      ? item.requiredText(path('name'), 'Enter the name, or remove it.')
      : undefined,
    type: has('type')
      ? (item.choice(path('type'), path('customType')) ??
        item.refuse(path('type'), 'is empty', 'Select the type, or remove it.'))
      : undefined,
    schedule: changedSchedule(item, has),
    isActive: has('isActive')
      ? item.requiredSwitch(path('isActive'), 'Turn it on or off, or remove it.')
      : undefined,
    config: configOf(item, path('config')),
  });
}

const PARTS_OF_SCHEDULE = ['hour', 'minute', 'weekday', 'schedule'];

function changedSchedule(item: Item, has: (name: string) => boolean): string | undefined {
  if (has('scheduleMode')) return cronAt(item, `${FIELDS}.`);
  const alone = PARTS_OF_SCHEDULE.find(has);
  return alone === undefined
    ? undefined
    : item.refuse(
        `${FIELDS}.${alone}`,
        'is added without Schedule',
        'Add the field Schedule, too: a schedule is only changed as a whole.',
      );
}
