import { isObject } from '../../../shared/json';
import {
  additionalFields,
  CUSTOM,
  customBodyField,
  customValueField,
  recordPicker,
  workspaceField,
  writeOptions,
} from '../fields';
import type { Item } from '../input/item';
import { COMMAS, withoutEmpty } from '../input/values';
import type { WriteOperation } from '../operation';

const CRON_FIELDS = 5;

/** Creates or updates an agent (docs/service.md, "POST /agents"). */
export const upsert: WriteOperation = {
  resource: 'agent',
  option: {
    name: 'Create or Update',
    value: 'upsert',
    action: 'Create or update an agent',
    description: 'Create a new record, or update the current one if it already exists (upsert)',
  },
  kind: 'write',
  endpoint: { path: '/agents', field: 'agent' },
  did: 'created or updated',
  fields: [
    workspaceField,
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      default: '',
      placeholder: 'e.g. Morning posts',
      description: 'What the agent is called. Not sent when empty.',
    },
    {
      displayName: 'Type',
      name: 'type',
      type: 'options',
      default: 'content',
      options: [
        { name: 'Content', value: 'content', description: 'Creates content' },
        { name: 'Custom', value: CUSTOM, description: 'Another type that your service knows' },
        { name: 'Engagement', value: 'engagement', description: 'Engages with the audience' },
        { name: 'SEO', value: 'seo', description: 'Works on search engine optimisation' },
        {
          name: 'Unchanged',
          value: '',
          description: 'Send no type: an existing agent keeps the one it has',
        },
      ],
      description: 'What the agent works on',
    },
    customValueField('type', { displayName: 'Custom Type', name: 'customType' }),
    {
      displayName: 'Schedule',
      name: 'schedule',
      type: 'string',
      default: '',
      placeholder: 'e.g. 0 9 * * 1-5',
      description:
        'When the agent runs, as a cron expression of five fields: minute, hour, day of month, month, day of week. Not sent when empty.',
    },
    {
      displayName: 'Active',
      name: 'isActive',
      type: 'boolean',
      default: true,
      description: 'Whether the agent runs on its schedule. Always sent.',
    },
    {
      displayName: 'Config',
      name: 'config',
      type: 'collection',
      placeholder: 'Add Setting',
      default: {},
      options: [
        {
          displayName: 'AI Provider',
          name: 'aiProvider',
          type: 'string',
          default: '',
          description: 'The AI provider that the agent uses, as the service names it',
        },
        {
          displayName: 'Target Platforms',
          name: 'targetPlatforms',
          type: 'string',
          default: '',
          placeholder: 'e.g. instagram, linkedin',
          description:
            'The platforms that the agent works on, with commas between them. An expression may give an array.',
        },
      ],
    },
    {
      ...additionalFields(
        recordPicker(
          {
            displayName: 'Agent to Update',
            name: 'agentId',
            description:
              'The agent to update. Its ID is sent as "id" in the body, which the interface of the service does not document: check the result. Leave it out to create an agent.',
          },
          'searchAgents',
        ),
        {
          displayName: 'Config (JSON)',
          name: 'configJson',
          type: 'json',
          default: '{}',
          description:
            'A JSON object that is merged into the config of the agent. Its fields win over those of Config.',
        },
        customBodyField,
      ),
    },
    writeOptions(),
  ],
  body(item) {
    const config = {
      ...withoutEmpty({
        targetPlatforms: item.list('config.targetPlatforms', COMMAS),
        aiProvider: item.text('config.aiProvider'),
      }),
      ...item.jsonObject('additionalFields.configJson'),
    };
    return {
      ...withoutEmpty({
        workspaceId: item.workspaceId(),
        id: agentToUpdate(item),
        name: item.text('name'),
        type: item.choice('type', 'customType'),
        schedule: schedule(item),
        isActive: item.switch('isActive'),
        config: Object.keys(config).length === 0 ? undefined : config,
      }),
      ...item.jsonObject('additionalFields.customBodyFields'),
    };
  },
};

/** An update whose agent is missing would create a second one, so it is refused. */
function agentToUpdate(item: Item): number | undefined {
  const path = 'additionalFields.agentId';
  const fields = item.value('additionalFields');
  if (!isObject(fields) || !('agentId' in fields)) return undefined;
  return (
    item.id(path) ??
    item.refuse(path, 'is empty', 'Choose the agent, or remove the field to create one.')
  );
}

function schedule(item: Item): string | undefined {
  const cron = item.text('schedule')?.trim().replace(/\s+/g, ' ');
  if (cron === undefined) return undefined;
  const fields = cron.split(' ');
  const hint = 'Enter five: minute, hour, day of month, month, day of week, such as 0 9 * * 1-5.';
  if (fields.length !== CRON_FIELDS) {
    return item.refuse(
      'schedule',
      `has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'} instead of five`,
      hint,
    );
  }
  const wrong = fields.find((field) => !/^[\dA-Za-z*/,\-?#]+$/.test(field));
  return wrong === undefined
    ? cron
    : item.refuse('schedule', `holds "${wrong}", which is not a valid cron field`, hint);
}
