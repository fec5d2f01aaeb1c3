import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Item } from '../../parameters/item';
import { limitField, pageSizeOption, readOptions, returnAllField } from '../fields';
import type { ReadOperation } from '../operation';
import { filledByPeople, fromModel, prefilledForTool } from '../tool';

const DUE_AFTER = 'filters.dueAfter';
const DUE_BEFORE = 'filters.dueBefore';
const STATUS = 'filters.status';

const filtersField: INodeProperties = {
  displayName: 'Filters',
  name: 'filters',
  type: 'collection',
  placeholder: 'Add Filter',
  default: {},
  description:
    'Which posts to return. The service has no filters, so the node reads all posts and leaves out the others: one request for each 99 posts.',
  options: [
    {
      displayName: 'Due After',
      name: 'dueAfter',
      type: 'dateTime',
      default: '',
      description:
        'Only posts that are due at this time or later. Without an offset, it is in the time zone of the workflow.',
    },
    {
      displayName: 'Due Before',
      name: 'dueBefore',
      type: 'dateTime',
      default: '',
      description:
        'Only posts that are due before this time. Without an offset, it is in the time zone of the workflow.',
    },
    {
      displayName: 'Status',
      name: 'status',
      type: 'string',
      default: '',
      placeholder: 'e.g. scheduled',
      description:
        'Only posts with this status, as the service writes it. The service documents only "scheduled".',
    },
  ],
};

/** Lists the posts of a workspace (docs/service.md, "GET /posts"). */
export const getAll: ReadOperation = {
  resource: 'post',
  option: {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many posts',
    description: 'Read the posts of a workspace',
  },
  kind: 'read',
  endpoint: { path: '/posts', returns: 'pages', field: 'posts' },
  tool: 'Lists the posts of the workspace with id, status, scheduledAt and createdAt. Texts and accounts are not included.',
  fields: [
    returnAllField,
    limitField,
    filledByPeople(filtersField),
    prefilledForTool(filtersField, {
      dueAfter: fromModel({
        key: 'due_after',
        tells:
          'Only posts that are due at this time or later, as ISO 8601 such as 2026-11-21T00:00 (in the time zone of the workflow). Empty for no bound.',
        optional: true,
      }),
      dueBefore: fromModel({
        key: 'due_before',
        tells: 'Only posts that are due before this time, in the same form. Empty for no bound.',
        optional: true,
      }),
      status: fromModel({
        key: 'status',
        tells: 'Only posts with this status, such as scheduled. Empty for any.',
        optional: true,
      }),
    }),
    readOptions(
      {
        displayName: 'Offset',
        name: 'offset',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 0,
        description: 'How many posts to skip',
      },
      pageSizeOption,
    ),
  ],
  request(item) {
    const offset = item.integer('options.offset');
    const pageSize = item.positiveInteger('options.pageSize');
    const limit = item.recordLimit();
    const fits = filterOf(item);
    return {
      query: { workspaceId: item.workspaceId() },
      range: {
        limit: fits === undefined ? limit : Infinity,
        ...(offset === undefined ? {} : { offset }),
        ...(pageSize === undefined ? {} : { pageSize }),
      },
      ...(fits && { output: (posts) => posts.filter(fits).slice(0, limit) }),
    };
  },
};

/** @returns whether a post fits the filters, or `undefined` when there are none */
function filterOf(item: Item): ((post: IDataObject) => boolean) | undefined {
  const momentAt = (path: string): number | undefined => {
    const time = item.time(path);
    return time === undefined ? undefined : Date.parse(time.utc);
  };
  const after = momentAt(DUE_AFTER);
  const before = momentAt(DUE_BEFORE);
  const status = item.text(STATUS)?.trim();
  if (after === undefined && before === undefined && status === undefined) return undefined;
  if (after !== undefined && before !== undefined && after >= before) {
    item.refuse(
      DUE_BEFORE,
      'is not later than Due After, so no post fits both',
      'Enter a later time.',
    );
  }
  const isDue = ({ scheduledAt }: IDataObject): boolean => {
    const due = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : NaN;
    return due >= (after ?? -Infinity) && due < (before ?? Infinity);
  };
  const hasBounds = after !== undefined || before !== undefined;
  return (post) => (!hasBounds || isDue(post)) && (status === undefined || post.status === status);
}
