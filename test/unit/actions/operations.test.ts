import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { operationFields, operations } from '../../../nodes/SocialPublishing/actions';
import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';

const { description } = new SocialPublishing();

const isField = (option: unknown): option is INodeProperties =>
  typeof option === 'object' && option !== null && 'type' in option;

const isGroup = (option: unknown): option is INodePropertyCollection =>
  typeof option === 'object' && option !== null && 'values' in option;

/** The fields of a collection or fixed collection. */
const within = (field: INodeProperties): INodeProperties[] =>
  (field.options ?? []).flatMap((option) =>
    isGroup(option) ? option.values : isField(option) ? [option] : [],
  );

/** Each field with the path of names that leads to it. */
const paths = (fields: readonly INodeProperties[], before = ''): string[] =>
  fields.flatMap((field) => {
    const groups = (field.options ?? []).filter(isGroup);
    const path = `${before}${field.name}`;
    return [
      path,
      ...groups.flatMap(({ name, values }) => paths(values, `${path}.${name}.`)),
      ...(groups.length > 0 ? [] : paths(within(field), `${path}.`)),
    ];
  });

const flat = (fields: readonly INodeProperties[]): INodeProperties[] =>
  fields.flatMap((field) => [field, ...flat(within(field))]);

const shownFor = (resource: string, operation: string): INodeProperties[] =>
  description.properties.filter(({ displayOptions }) => {
    const show = displayOptions?.show ?? {};
    return show.resource?.includes(resource) === true && show.operation?.includes(operation);
  });

const readOptions = [
  'options',
  'options.concurrency',
  'options.includeQuota',
  'options.keepRequests',
];
const writeOptions = [...readOptions, 'options.resendUncertain'];

describe('saved workflows rely on', () => {
  test('the resources', () => {
    const [resource] = description.properties;

    expect(resource).toMatchObject({ name: 'resource', type: 'options', default: 'post' });
    expect(resource?.options).toEqual([
      { name: 'Account', value: 'account' },
      { name: 'Agent', value: 'agent' },
      { name: 'Analytics', value: 'analytics' },
      { name: 'Post', value: 'post' },
    ]);
  });

  test('the operations', () => {
    const pickers = description.properties.filter(({ name }) => name === 'operation');

    expect(
      pickers.map(({ displayOptions, options, default: first }) => [
        displayOptions?.show?.resource,
        options?.map((option) => ('value' in option ? option.value : undefined)),
        first,
      ]),
    ).toEqual([
      [['account'], ['getAll'], 'getAll'],
      [['agent'], ['upsert', 'getAll'], 'upsert'],
      [['analytics'], ['get'], 'get'],
      [['post'], ['create', 'getAll'], 'create'],
    ]);
  });

  test.each([
    ['account', 'getAll', ['workspaceId', 'returnAll', 'limit', ...readOptions]],
    ['agent', 'getAll', ['workspaceId', 'returnAll', 'limit', ...readOptions]],
    [
      'agent',
      'upsert',
      [
        'workspaceId',
        'name',
        'type',
        'customType',
        'schedule',
        'isActive',
        'config',
        'config.aiProvider',
        'config.targetPlatforms',
        'additionalFields',
        'additionalFields.agentId',
        'additionalFields.configJson',
        'additionalFields.customBodyFields',
        ...writeOptions,
      ],
    ],
    [
      'analytics',
      'get',
      ['workspaceId', 'period', 'customDays', ...readOptions, 'options.splitByPlatform'],
    ],
    [
      'post',
      'create',
      [
        'workspaceId',
        'status',
        'customStatus',
        'scheduledAt',
        'variantsInput',
        'variants',
        'variants.variant.socialAccountId',
        'variants.variant.content',
        'variants.variant.mediaUrls',
        'variantsJson',
        'additionalFields',
        'additionalFields.customBodyFields',
        ...writeOptions,
      ],
    ],
    [
      'post',
      'getAll',
      ['workspaceId', 'returnAll', 'limit', ...readOptions, 'options.offset', 'options.pageSize'],
    ],
  ])('the parameters of %s %s', (resource, operation, expected) => {
    expect(paths(shownFor(resource, operation)).sort()).toEqual([...expected].sort());
  });

  test.each([
    ['post', 'create', 'status', ['scheduled', 'custom'], 'scheduled'],
    ['post', 'create', 'variantsInput', ['fields', 'json'], 'fields'],
    ['analytics', 'get', 'period', ['7d', '30d', '90d', 'custom'], '30d'],
    ['agent', 'upsert', 'type', ['content', 'custom', 'engagement', 'seo', ''], 'content'],
  ])('the values of %s %s %s', (resource, operation, name, values, first) => {
    const field = shownFor(resource, operation).find((one) => one.name === name);

    expect(field?.options?.map((option) => ('value' in option ? option.value : undefined))).toEqual(
      values,
    );
    expect(field?.default).toBe(first);
  });

  test.each([
    ['post', 'create', 'customStatus', { status: ['custom'] }],
    ['post', 'create', 'variants', { variantsInput: ['fields'] }],
    ['post', 'create', 'variantsJson', { variantsInput: ['json'] }],
    ['post', 'getAll', 'limit', { returnAll: [false] }],
    ['account', 'getAll', 'limit', { returnAll: [false] }],
    ['analytics', 'get', 'customDays', { period: ['custom'] }],
    ['agent', 'upsert', 'customType', { type: ['custom'] }],
  ])('%s %s showing %s when it is asked for', (resource, operation, name, when) => {
    const field = shownFor(resource, operation).find((one) => one.name === name);

    expect(field?.displayOptions).toEqual({
      show: { resource: [resource], operation: [operation], ...when },
    });
  });

  test.each([
    ['post', 'create', 'socialAccountId', 'searchAccounts'],
    ['agent', 'upsert', 'agentId', 'searchAgents'],
  ])('%s %s picking %s from a list or by its id', (resource, operation, name, method) => {
    const field = flat(shownFor(resource, operation)).find((one) => one.name === name);

    expect(field?.type).toBe('resourceLocator');
    expect(field?.modes?.map((mode) => mode.name)).toEqual(['list', 'id']);
    expect(field?.modes?.[0]?.typeOptions?.searchListMethod).toBe(method);
    expect(new SocialPublishing().methods.listSearch).toHaveProperty(method);
  });
});

test('every field belongs to one operation or is a picker of operations', () => {
  const ofOperations = operations.flatMap(({ resource, option }) =>
    shownFor(resource, option.value),
  );
  const pickers = operationFields.filter(({ name }) => name === 'operation');

  expect(ofOperations.length + pickers.length).toBe(operationFields.length);
  expect(description.properties).toHaveLength(operationFields.length + 1);
});

describe.each(operations.map((one) => [`${one.resource} ${one.option.value}`, one] as const))(
  '%s',
  (_, operation) => {
    const { resource, option, fields } = operation;
    const every = flat(fields);

    test('shows no two fields of one name or label in one place', () => {
      const places = [fields, ...every.map(within)];

      for (const place of places) {
        const names = place.map(({ name }) => name);
        const labels = place.map(({ displayName }) => displayName);
        expect(names).toEqual([...new Set(names)]);
        expect(labels).toEqual([...new Set(labels)]);
      }
    });

    test('says what it and each of its fields is for', () => {
      expect(option.description).toMatch(/^[A-Z].{15,}/);
      expect(option.action).toMatch(/^[A-Z].{5,}/);
      for (const field of every) {
        if (['collection', 'fixedCollection'].includes(field.type)) continue;
        expect([field.name, field.description]).toEqual([
          field.name,
          expect.stringMatching(/^[A-Z].{10,}/) as string,
        ]);
      }
    });

    test('has only values to choose from that are different', () => {
      for (const field of every.filter(({ type }) => type === 'options')) {
        const values = (field.options ?? []).map((choice) => 'value' in choice && choice.value);
        expect(values).toEqual([...new Set(values)]);
      }
    });

    test('has a default of the right kind for each field', () => {
      for (const { name, type, default: value, options, modes } of every) {
        const choices = (options ?? []).map((choice) => 'value' in choice && choice.value);
        const fits = {
          options: () => choices.includes(value as string),
          boolean: () => typeof value === 'boolean',
          number: () => typeof value === 'number' && value >= 0,
          string: () => typeof value === 'string',
          dateTime: () => value === '',
          json: () => typeof JSON.parse(value as string) === 'object',
          collection: () => JSON.stringify(value) === '{}',
          fixedCollection: () => Object.keys(value as object).every((key) => key === 'variant'),
          resourceLocator: () => (value as { mode: string }).mode === modes?.[0]?.name,
        }[type as string];
        expect([name, type, fits?.()]).toEqual([name, type, true]);
      }
    });

    test('says what it did when it writes', () => {
      const writers = new Map([
        ['agent upsert', 'created or updated'],
        ['post create', 'created'],
      ]);

      expect(operation.kind === 'write' ? operation.did : undefined).toBe(
        writers.get(`${resource} ${option.value}`),
      );
    });
  },
);
