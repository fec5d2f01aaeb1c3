import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';
import { read } from './documents';
import { listsBelow } from './tables';

const SERVICE = 'docs/service.md';

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** The path and the label of each parameter that a user sees, down into collections. */
function parametersOf(entries: readonly Entry[], prefix = ''): string[][] {
  return entries.flatMap((entry) => {
    if ('values' in entry) return parametersOf(entry.values, `${prefix}${entry.name}[].`);
    if (!('type' in entry) || ['hidden', 'notice'].includes(entry.type)) return [];
    const path = `${prefix}${entry.name}`;
    return entry.type === 'collection' || entry.type === 'fixedCollection'
      ? parametersOf(entry.options ?? [], `${path}.`)
      : [[path, entry.displayName]];
  });
}

/** Sorted, and a parameter that is there twice, as for tools, once. */
const distinct = (rows: string[][]): string[] =>
  [...new Set(rows.map(([path, label]) => `${path}: ${label}`))].sort();

/** The path and the label of each parameter that a list below a heading names; none without the heading. */
function listBelow(heading: string): string[][] {
  const [, section = ''] = read(SERVICE).split(`\n### ${heading}\n`);
  const [list = ''] = section.split('\n#');
  return [...list.matchAll(/^- `([\w.[\]]+)` (.+?)(?:: .*)?(?: \(required\))?$/gm)].map(
    ([, path = '', label = '']) => [path, label],
  );
}

const { properties } = new SocialPublishing().description;
const operations = [...read(SERVICE).matchAll(/^- `(\w+)` `(\w+)`: `([A-Z]+ \/[\w/{}]+)`$/gm)].map(
  ([, ...operation]) => operation,
);

const optionsOf = (name: string, resource?: string): string[] =>
  properties
    .filter((property) => property.name === name)
    .filter(({ displayOptions }) => !resource || displayOptions?.show?.resource?.includes(resource))
    .flatMap(({ options = [] }) => options)
    .flatMap((option) => ('value' in option ? [String(option.value)] : []));

test('the operations of the document are those of the node', () => {
  const offered = optionsOf('resource').flatMap((resource) =>
    optionsOf('operation', resource).map((operation) => `${resource} ${operation}`),
  );
  const documented = operations.map(([resource, operation]) => `${resource} ${operation}`);
  expect(documented.sort()).toEqual(offered.sort());
});

/** The rows of the tables whose parameters an operation has, too, as the document says. */
const alsoOf: Readonly<Record<string, () => string[][]>> = {
  'post preview': () => ['Post: create', 'Every write'].flatMap((table) => listBelow(table)),
  'agent update': () =>
    listBelow('Agent: create').map(([path = '', label = '']) => [
      path.startsWith('options.') ? path : `updateFields.${path}`,
      label,
    ]),
};

test.each(operations)(
  'the parameters of %s %s are those of the document',
  (resource = '', operation = '', request = '') => {
    const shown = properties.filter(
      ({ displayOptions }) =>
        displayOptions?.show?.resource?.includes(resource) &&
        displayOptions.show.operation?.includes(operation),
    );
    const heading = `${resource.charAt(0).toUpperCase()}${resource.slice(1)}: ${operation}`;
    expect(distinct(parametersOf(shown))).toEqual(
      distinct([
        ...listBelow('Every operation'),
        ...(request.startsWith('POST') ? listBelow('Every write') : []),
        ...(operation === 'getAll' ? listBelow('Every getAll') : []),
        ...(alsoOf[`${resource} ${operation}`]?.() ?? []),
        ...listBelow(heading),
      ]),
    );
  },
);

describe('the trigger', () => {
  const { properties: parameters } = new SocialPublishingTrigger().description;

  test('has the parameters of the document', () => {
    expect(distinct(parametersOf(parameters))).toEqual(distinct(listBelow('Trigger parameters')));
  });

  test('offers the events of the document', () => {
    const events = parameters.find(({ name }) => name === 'events')?.options ?? [];
    expect(events.map((event) => ('value' in event ? event.value : '')).sort()).toEqual(
      listsBelow(SERVICE, 'Event kinds').flat().sort(),
    );
  });
});
