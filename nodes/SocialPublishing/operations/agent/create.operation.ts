import type { IDataObject } from 'n8n-workflow';

import { filledByModel, filledByPeople } from '../fields';
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

/** Creates an agent (docs/service.md, "POST /agents"). */
export const create: WriteOperation = {
  resource: 'agent',
  option: {
    name: 'Create',
    value: 'create',
    action: 'Create an agent',
    description: 'Create an AI agent that runs on a schedule',
  },
  kind: 'write',
  endpoint: { method: 'POST', path: '/agents', field: 'agent', answer: 'written' },
  did: 'created',
  noun: 'agent',
  lookedFor: 'never',
  tool: 'Creates an AI agent that works on its schedule, and returns it with its id and its next run.',
  fields: [
    filledByPeople({ ...nameField, required: true }),
    filledByModel(nameField, { key: 'name', tells: 'What the agent is called' }),
    ...typeFields,
    ...scheduleFields,
    activeField,
    configField,
    writeOptions([], [uncertainAgentsOption], [configJsonOption]),
  ],
  write(item) {
    const body: IDataObject = {
      workspaceId: item.workspaceId(),
      ...agentParts(item, '', {
        name: 'Enter a name for the agent.',
        type: 'Select what the agent works on.',
        isActive: 'Turn it on or off.',
      }),
      ...item.jsonObject('options.customBodyFields'),
    };
    return agentWrite(item, body, [['create', body.name], body], '');
  },
};
