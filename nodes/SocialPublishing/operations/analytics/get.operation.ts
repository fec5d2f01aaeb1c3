import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../../../shared/json';
import type { Item } from '../../parameters/item';
import { readPeriod } from '../../parameters/readers';
import { filledByModel, filledByPeople, noneIn } from '../fields';
import type { ReadOperation } from '../operation';
import { readOptions } from '../options';

const periodField: INodeProperties = {
  displayName: 'Period',
  name: 'period',
  type: 'options',
  default: '30d',
  options: [
    { name: 'Last 7 Days', value: '7d' },
    { name: 'Last 30 Days', value: '30d' },
    { name: 'Last 90 Days', value: '90d' },
    { name: 'Custom', value: 'custom', description: 'Any other number of days' },
  ],
  description: 'The days to report on, up to now',
};

/** Reads the analytics of a workspace (docs/service.md, "GET /analytics"). */
export const get: ReadOperation = {
  resource: 'analytics',
  option: {
    name: 'Get',
    value: 'get',
    action: 'Get analytics',
    description: 'Read the analytics of a workspace for a period',
  },
  kind: 'read',
  endpoint: { method: 'GET', path: '/analytics', field: 'analytics', answer: 'record' },
  tool: 'Returns the analytics of the workspace for a period: posts, impressions, engagements, and posts and impressions for each platform.',
  fields: [
    filledByPeople(periodField),
    filledByModel(
      { ...periodField, type: 'string', options: [] },
      {
        key: 'period',
        tells: 'The days to report on, up to now: a number of days, such as 7, 30 or 90.',
      },
    ),
    {
      displayName: 'Days',
      name: 'customDays',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 14,
      required: true,
      displayOptions: { show: { period: ['custom'] } },
      description: 'How many days to report on',
    },
    readOptions([
      {
        displayName: 'Split by Platform',
        name: 'splitByPlatform',
        type: 'boolean',
        default: false,
        description:
          'Whether to return an item for each platform, with its posts and impressions, instead of one summary',
      },
    ]),
  ],
  request(item) {
    const query = { workspaceId: item.workspaceId(), period: period(item) };
    return {
      query,
      whenEmpty: `${noneIn(query.workspaceId, 'platforms')} for the last ${query.period.replace('d', ' days')}`,
      ...(item.switch('options.splitByPlatform')
        ? { output: (summaries: IDataObject[]) => splitByPlatform(item, summaries) }
        : {}),
    };
  },
};

function period(item: Item): string {
  const chosen = item.requiredText('period', 'Select a period.');
  if (chosen === 'custom') {
    const days =
      item.positiveInteger('customDays') ??
      item.refuse('customDays', 'is empty', 'Enter the number of days.');
    return `${days}d`;
  }
  return item.accept('period', readPeriod(chosen));
}

const splitByPlatform = (item: Item, summaries: IDataObject[]): IDataObject[] =>
  summaries.flatMap(({ platformBreakdown }) => {
    if (!isObject(platformBreakdown)) {
      return item.refuse(
        'options.splitByPlatform',
        'is on, but the service sent no usable "platformBreakdown"',
        'Turn it off to get the summary.',
      );
    }
    return Object.entries(platformBreakdown).map(([name, figures]) => {
      const { platform, ...known } = isObject(figures) ? figures : { figures };
      return {
        platform: name,
        ...known,
        ...(platform === undefined ? {} : { platformName: platform }),
      };
    });
  });
