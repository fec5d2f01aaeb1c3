import { withoutEmpty } from '../../parameters/values';
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
import { agentField, agentIdentity, configOf } from './body';
import { cronAt, scheduleNote } from './schedule';

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
    const body = {
      ...withoutEmpty({
        workspaceId: item.workspaceId(),
        name: item.requiredText('name', 'Enter a name for the agent.'),
        type:
          item.choice('type', 'customType') ??
          item.refuse('type', 'is empty', 'Select what the agent works on.'),
        schedule: cronAt(item, ''),
        isActive: item.requiredSwitch('isActive', 'Turn it on or off.'),
        config: configOf(item, 'config'),
      }),
      ...item.jsonObject('options.customBodyFields'),
    };
    return {
      body,
      identity: agentIdentity(['create', body.name], body),
      note: scheduleNote,
      fieldFor: (bodyPath) => agentField(item, bodyPath, ''),
    };
  },
};
