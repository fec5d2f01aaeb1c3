import type { INodeProperties } from 'n8n-workflow';

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
import { agentParts, agentWrite } from './body';

const FIELDS = 'updateFields';

const PARTS_OF_SCHEDULE = ['hour', 'minute', 'weekday', 'schedule'];

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
    const has = (name: string): boolean => item.isAdded(`${FIELDS}.${name}`);
    const alone = has('scheduleMode') ? undefined : PARTS_OF_SCHEDULE.find(has);
    if (alone !== undefined) {
      item.refuse(
        `${FIELDS}.${alone}`,
        'is added without Schedule',
        'Add the field Schedule, too: a schedule is only changed as a whole.',
      );
    }
    const hints = {
      name: 'Enter the name, or remove it.',
      type: 'Select the type, or remove it.',
      isActive: 'Turn it on or off, or remove it.',
    };
    const changes = {
      ...agentParts(item, `${FIELDS}.`, hints, has),
      ...item.jsonObject('options.customBodyFields'),
    };
    if (Object.keys(changes).length === 0) {
      item.refuse(FIELDS, 'is empty', 'Add at least one field to change.');
    }
    const body = { workspaceId: item.workspaceId(), id, ...changes };
    return agentWrite(item, body, [['update', id], changes], `${FIELDS}.`);
  },
};
