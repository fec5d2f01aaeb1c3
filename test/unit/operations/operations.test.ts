import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { operations } from '../../../nodes/SocialPublishing/operations';
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

/** Whether a default is an expression that the editor shows and resolves. */
const isExpression = (value: unknown): boolean =>
  typeof value === 'string' && /^=\{\{ .+ \}\}$/.test(value);

const flat = (fields: readonly INodeProperties[]): INodeProperties[] =>
  fields.flatMap((field) => [field, ...flat(within(field))]);

const shownFor = (resource: string, operation: string): INodeProperties[] =>
  description.properties.filter(({ displayOptions }) => {
    const show = displayOptions?.show ?? {};
    return show.resource?.includes(resource) === true && show.operation?.includes(operation);
  });

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

  // The operations and the names of all parameters: test/unit/docs/parameters.test.ts.

  test('an operation that is chosen from the start', () => {
    const pickers = description.properties.filter(({ name }) => name === 'operation');

    expect(pickers).not.toHaveLength(0);
    for (const { options, default: chosen } of pickers) {
      expect(options?.[0]).toHaveProperty('value', chosen);
    }
  });

  test.each([
    ['post', 'create', 'publish', ['at', 'atOrSlot', 'after', 'now', 'slot'], 'at'],
    ['post', 'create', 'delayUnit', ['minutes', 'hours', 'days'], 'minutes'],
    ['post', 'create', 'ifPast', ['fail', 'publish'], 'fail'],
    ['post', 'create', 'ifScheduled', ['create', 'skip', 'fail'], 'create'],
    ['post', 'create', 'ifWrong', ['warn', 'ignore', 'fail'], 'warn'],
    ['analytics', 'get', 'period', ['7d', '30d', '90d', 'custom'], '30d'],
    ['agent', 'create', 'type', ['content', 'custom', 'engagement', 'seo'], 'content'],
    [
      'agent',
      'create',
      'scheduleMode',
      ['cron', 'everyDay', 'everyHour', 'everyWeek', 'everyWeekday'],
      'everyDay',
    ],
    ['agent', 'create', 'weekday', [0, 1, 2, 3, 4, 5, 6], 1],
  ])('the values of %s %s %s', (resource, operation, name, values, first) => {
    const field = flat(shownFor(resource, operation)).find((one) => one.name === name);
    const offered = field?.options?.map((option) => ('value' in option ? option.value : undefined));

    expect(offered).toEqual(expect.arrayContaining<string | number>(values));
    expect(offered).toHaveLength(values.length);
    expect(field?.default).toBe(first);
  });

  test.each([
    ['post', 'create', 'slots', { publish: ['slot', 'atOrSlot'] }],
    ['post', 'create', 'timeZone', { publish: ['at', 'atOrSlot', 'slot'] }],
    ['post', 'create', 'delayAmount', { publish: ['after'] }],
    ['post', 'create', 'delayUnit', { publish: ['after'] }],
    ['post', 'getAll', 'limit', { returnAll: [false] }],
    ['account', 'getAll', 'limit', { returnAll: [false] }],
    ['analytics', 'get', 'customDays', { period: ['custom'] }],
    ['agent', 'create', 'customType', { type: ['custom'] }],
  ])('%s %s showing %s when it is asked for', (resource, operation, name, when) => {
    const field = shownFor(resource, operation).find((one) => one.name === name);

    expect(field?.displayOptions).toEqual({
      show: { resource: [resource], operation: [operation], ...when },
    });
  });

  test.each([
    ['post', 'create', 'socialAccountId', 'searchAccounts'],
    ['agent', 'update', 'agentId', 'searchAgents'],
  ])('%s %s picking %s from a list or by its id', (resource, operation, name, method) => {
    const field = flat(shownFor(resource, operation)).find((one) => one.name === name);

    expect(field?.type).toBe('resourceLocator');
    expect(field?.modes?.map((mode) => mode.name)).toEqual(['list', 'id']);
    expect(field?.modes?.[0]?.typeOptions?.searchListMethod).toBe(method);
    expect(new SocialPublishing().methods.listSearch).toHaveProperty(method);
  });
});

test('every field belongs to one operation or is a picker', () => {
  const ofOperations = operations.flatMap(({ resource, option }) =>
    shownFor(resource, option.value),
  );
  const pickers = description.properties.filter(({ name }) =>
    ['resource', 'operation'].includes(name),
  );

  expect(ofOperations.length + pickers.length).toBe(description.properties.length);
});

// n8n reads no further than the first condition on a parameter that holds an expression.
test('the operation and the kind of node decide first whether a field is shown', () => {
  for (const { name, displayOptions } of description.properties) {
    const [first, second, ...others] = Object.keys(displayOptions?.show ?? {});

    expect([name, first, second]).toEqual([
      name,
      name === 'resource' ? undefined : 'resource',
      ['resource', 'operation'].includes(name) ? undefined : 'operation',
    ]);
    expect([name, others.indexOf('@tool')]).toEqual([name, others.includes('@tool') ? 0 : -1]);
  }
});

describe.each(operations.map((one) => [`${one.resource} ${one.option.value}`, one] as const))(
  '%s',
  (_, operation) => {
    const { option, fields } = operation;
    const every = flat(fields);

    test('shows no two fields of one name or label in one place', () => {
      // Copies for which n8n shows one at a time have the same label.
      const alone = fields.filter(
        ({ name, displayName }, index) =>
          fields.findIndex((one) => one.name === name && one.displayName === displayName) === index,
      );
      const places = [alone, ...every.map(within)];

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
        if (['collection', 'fixedCollection', 'hidden'].includes(field.type)) continue;
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
      for (const { name, type, default: value, options, modes, typeOptions } of every) {
        const choices = (options ?? []).map((choice) => 'value' in choice && choice.value);
        const fits = {
          options: () =>
            typeOptions?.loadOptionsMethod === undefined
              ? choices.includes(value as string)
              : value === '',
          multiOptions: () => (value as unknown[]).every((one) => choices.includes(one as string)),
          boolean: () => typeof value === 'boolean',
          number: () => typeof value === 'number' && value >= 0,
          string: () => typeof value === 'string',
          dateTime: () => value === '' || isExpression(value),
          hidden: () => isExpression(value),
          json: () => typeof JSON.parse(value as string) === 'object',
          collection: () => Object.values(value as object).every(isExpression),
          // What needs an entry begins with one, as n8n would add it.
          fixedCollection: () =>
            typeOptions?.minRequiredFields === undefined
              ? JSON.stringify(value) === '{}'
              : (options ?? []).every(
                  (part) =>
                    'values' in part &&
                    JSON.stringify((value as INodeParameters)[part.name]) ===
                      JSON.stringify([
                        Object.fromEntries(part.values.map((one) => [one.name, one.default])),
                      ]),
                ),
          resourceLocator: () => {
            const { mode, value: chosen } = value as { mode: string; value: string };
            return mode === (isExpression(chosen) ? 'id' : modes?.[0]?.name);
          },
        }[type as string];
        expect([name, type, fits?.()]).toEqual([name, type, true]);
      }
    });
  },
);
