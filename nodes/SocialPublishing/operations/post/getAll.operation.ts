import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Item, Time } from '../../parameters/item';
import { momentInWords } from '../../parameters/times/timeWords';
import { quote } from '../../parameters/values';
import { POSTS } from '../../service/requests';
import {
  filledByPeople,
  fromModel,
  howMany,
  noneIn,
  prefilledForTool,
  recordLimit,
} from '../fields';
import type { ReadOperation } from '../operation';
import { pageSizeOption, readOptions } from '../options';

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
  endpoint: POSTS,
  tool: 'Lists the posts of the workspace with id, status, scheduledAt and createdAt. Texts and accounts are not included.',
  fields: [
    ...howMany,
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
      [],
      [
        {
          displayName: 'Offset',
          name: 'offset',
          type: 'number',
          typeOptions: { minValue: 0 },
          default: 0,
          description: 'How many posts to skip',
        },
        pageSizeOption,
      ],
    ),
  ],
  request(item) {
    const offset = item.integer('options.offset');
    const pageSize = item.positiveInteger('options.pageSize');
    const limit = recordLimit(item);
    const workspaceId = item.workspaceId();
    const filter = filterOf(item);
    return {
      query: { workspaceId },
      range: {
        limit: filter === undefined ? limit : Infinity,
        ...(offset === undefined ? {} : { offset }),
        ...(pageSize === undefined ? {} : { pageSize }),
      },
      whenEmpty: [
        noneIn(workspaceId, 'posts'),
        ...(filter?.words ?? []),
        ...(offset === undefined || offset === 0 ? [] : [`after the first ${offset}`]),
      ].join(' '),
      ...(filter && { output: (posts) => posts.filter(filter.fits), most: limit }),
    };
  },
};

interface Filter {
  readonly fits: (post: IDataObject) => boolean;
  /** What it says, to be read after the posts and their workspace. */
  readonly words: readonly string[];
}

/** @returns the filter, or `undefined` when there is none */
function filterOf(item: Item): Filter | undefined {
  const after = item.time(DUE_AFTER);
  const before = item.time(DUE_BEFORE);
  const status = item.text(STATUS)?.trim();
  if (after === undefined && before === undefined && status === undefined) return undefined;
  const from = after === undefined ? -Infinity : Date.parse(after.utc);
  const to = before === undefined ? Infinity : Date.parse(before.utc);
  if (from >= to) {
    item.refuse(
      DUE_BEFORE,
      'is not later than Due After, so no post fits both',
      'Enter a later time.',
    );
  }
  const isDue = ({ scheduledAt }: IDataObject): boolean => {
    const due = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : NaN;
    return due >= from && due < to;
  };
  const words = ({ utc, zone }: Time): string => momentInWords(Date.parse(utc), zone);
  const bounds = [after && `from ${words(after)}`, before && `before ${words(before)}`];
  const due = bounds.filter((bound) => bound !== undefined).join(' and ');
  return {
    fits: (post) => (due === '' || isDue(post)) && (status === undefined || post.status === status),
    words: [
      ...(status === undefined ? [] : [`with the status ${quote(status)}`]),
      ...(due === '' ? [] : [`due ${due}`]),
    ],
  };
}
