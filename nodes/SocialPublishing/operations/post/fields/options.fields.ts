import type { INodeProperties } from 'n8n-workflow';

import { shown } from '../../fields';
import { uncertainPostsOption, writeOptions } from '../../options';

/** The parameter that holds whole variants, given as JSON instead of the text, media and accounts. */
export const VARIANTS_JSON = 'options.variantsJson';

export const KEEP_SHARE_LINKS = 'options.keepShareLinks';

/** Hides what a free slot never needs: its time is unambiguous, to come, and not taken. */
const withoutSlots = (field: INodeProperties): INodeProperties =>
  shown(field, { hide: { '/publish': ['slot'] } });

const oftenUsed: INodeProperties[] = [
  withoutSlots({
    displayName: 'If the Time Has Passed',
    name: 'ifPast',
    type: 'options',
    default: 'fail',
    options: [
      { name: 'Publish at Once', value: 'publish' },
      { name: 'Stop With an Error', value: 'fail' },
    ],
    description: 'What to do with a time that is more than five minutes past',
  }),
  withoutSlots({
    displayName: 'If the Same Post Exists',
    name: 'ifScheduled',
    type: 'options',
    default: 'create',
    options: [
      { name: 'Create Anyway', value: 'create', description: 'Does not look for other posts' },
      {
        name: 'Skip and Return It',
        value: 'skip',
        description: 'Returns the post that exists instead of creating another',
      },
      { name: 'Stop With an Error', value: 'fail', description: 'Creates nothing for the item' },
    ],
    description:
      'Use this to run a table again. The same post has the same accounts, text, media and time, and was created by this node, in any execution. A post that this node does not know counts as the same if it has exactly that time. A post that goes out as soon as possible or after a delay is always created. Reads the posts of the workspace once for all items.',
  }),
];

const sometimesUsed: INodeProperties[] = [
  {
    displayName: 'If Something Looks Wrong',
    name: 'ifWrong',
    type: 'options',
    default: 'warn',
    options: [
      {
        name: 'Send and Warn',
        value: 'warn',
        description: 'Creates the post, with the warnings in its item and above the output',
      },
      { name: 'Send Anyway', value: 'ignore', description: 'Does not check' },
      {
        name: 'Stop With an Error',
        value: 'fail',
        description: 'Creates nothing until all items are right',
      },
    ],
    description:
      'What to do with a post that a platform is known to refuse, as its text is too long or it lacks a picture, with a link to a web page instead of a file, with an inactive account, or with a date without a time. Reads the accounts only if a text is long.',
  },
  withoutSlots({
    displayName: 'Date Order',
    name: 'dateOrder',
    type: 'options',
    default: 'ask',
    options: [
      {
        name: 'Ask',
        value: 'ask',
        description: 'Stops with an error that names both days',
      },
      { name: 'Day First', value: 'dayFirst', description: '12/05/2026 is 12 May' },
      { name: 'Month First', value: 'monthFirst', description: '12/05/2026 is December 5' },
    ],
    description:
      'How to read a date such as 12/05/2026, which can mean two days. Any other date is read in the only way it can be. With dots, the day always comes first.',
  }),
];

const seldomUsed: INodeProperties[] = [
  {
    displayName: 'Keep Share Links',
    name: 'keepShareLinks',
    type: 'boolean',
    default: false,
    description:
      'Whether to send links of Google Drive and Dropbox as they are. Otherwise, the address of the file is sent, which a platform can load.',
  },
  {
    displayName: 'Status',
    name: 'status',
    type: 'string',
    default: 'scheduled',
    description:
      'The status of the new post, as the service writes it. The service documents only "scheduled".',
  },
  {
    displayName: 'Variants (JSON)',
    name: 'variantsJson',
    type: 'json',
    typeOptions: { rows: 8 },
    default:
      '[\n  {\n    "socialAccountId": 1,\n    "content": "Hello",\n    "mediaUrls": []\n  }\n]',
    description:
      'The text, media and accounts as an array, such as another system gives it: each entry has socialAccountId (an ID, handle or platform), content and mediaUrls. Replaces the fields above.',
  },
];

/** The options of a post. @param own those of the operation alone */
export const postOptions = (...own: INodeProperties[]): INodeProperties =>
  writeOptions(oftenUsed, [...sometimesUsed, ...own, uncertainPostsOption], seldomUsed);
