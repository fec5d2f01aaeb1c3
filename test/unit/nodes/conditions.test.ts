import type { INodeProperties } from 'n8n-workflow';

import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';

const nodes = [new SocialPublishing(), new SocialPublishingTrigger()];

/** The parameters that the conditions of some parameters name, but that are not among these. */
function unresolved(properties: INodeProperties[]): string[] {
  const names = properties.map(({ name }) => name);
  return properties.flatMap(({ name, displayOptions }) =>
    Object.values(displayOptions ?? {})
      .flatMap((conditions: object) => Object.keys(conditions))
      .filter((other) => !other.startsWith('/') && !other.startsWith('@'))
      .filter((other) => !names.includes(other))
      .map((other) => `${name}: ${other}`),
  );
}

/** The lists of parameters in a list of parameters: its own and those of all collections. */
function levels(properties: INodeProperties[]): INodeProperties[][] {
  const inner = properties.flatMap(({ options = [] }) =>
    options.flatMap((option) => ('values' in option ? levels(option.values) : [])),
  );
  const collections = properties
    .filter(({ type }) => type === 'collection')
    .flatMap(({ options = [] }) =>
      levels(options.filter((option): option is INodeProperties => 'type' in option)),
    );
  return [properties, ...inner, ...collections];
}

// n8n before 2.35 runs no node of which a condition names a nested parameter without a leading slash.
test.each(nodes.map(({ description }) => description))(
  'each condition of $displayName names a parameter beside it, or one from the root',
  ({ properties }) => {
    expect(levels(properties).flatMap(unresolved)).toEqual([]);
  },
);
