import type { DisplayCondition, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { loadedBy, recordPicker, uncertainPostsOption, writeOptions } from '../fields';
import { filledByModel } from '../tool';
import { slotsField } from './slots.fields';

const FILLED: [DisplayCondition] = [{ _cnd: { exists: true } }];

/** The parameter that holds whole variants, given as JSON instead of the fields below. */
export const VARIANTS_JSON = 'options.variantsJson';

const OF_PEOPLE: IDisplayOptions = { show: { '@tool': [false] } };

/** Adds conditions to those of a field. */
const shown = (field: INodeProperties, { show, hide }: IDisplayOptions): INodeProperties => ({
  ...field,
  displayOptions: {
    ...((show ?? field.displayOptions?.show) && {
      show: { ...field.displayOptions?.show, ...show },
    }),
    ...((hide ?? field.displayOptions?.hide) && {
      hide: { ...field.displayOptions?.hide, ...hide },
    }),
  },
});

const withoutVariantsJson = (field: INodeProperties): INodeProperties =>
  shown(field, { hide: { [`/${VARIANTS_JSON}`]: FILLED } });

const text: INodeProperties = {
  displayName: 'Text',
  name: 'content',
  type: 'string',
  typeOptions: { rows: 4 },
  default: '',
  placeholder: 'e.g. Fresh sourdough from 8 a.m. tomorrow',
  description: 'What the post says, the same for all accounts. May be empty when there is media.',
};

/**
 * The text, required unless something else can be published. n8n shows one of these: each condition
 * for a field that needs no text comes with those that excludes the others.
 */
const texts: INodeProperties[] = [
  shown(
    { ...text, required: true },
    {
      ...OF_PEOPLE,
      hide: { mediaUrls: FILLED, mediaFields: FILLED, '/overrides.override': FILLED },
    },
  ),
  shown(text, { show: { '@tool': [false], mediaUrls: FILLED } }),
  shown(text, { show: { '@tool': [false], mediaFields: FILLED }, hide: { mediaUrls: FILLED } }),
  shown(text, {
    show: { '@tool': [false], '/overrides.override': FILLED },
    hide: { mediaUrls: FILLED, mediaFields: FILLED },
  }),
  filledByModel(text, {
    key: 'text',
    tells:
      'The text of the post, the same for all accounts. May be empty when media_urls has at least one URL.',
  }),
];

const mediaUrls: INodeProperties = {
  displayName: 'Media URLs',
  name: 'mediaUrls',
  type: 'string',
  typeOptions: { rows: 2 },
  default: '',
  placeholder: 'e.g. https://example.com/bread.jpg',
  builderHint: { propertyHint: 'Never make up a URL: leave it empty, or use an expression.' },
  description:
    'Public addresses of images or videos, one in each line. An expression may give an array.',
};

const mediaFiles: INodeProperties = {
  displayName: 'Media Files',
  name: 'mediaFields',
  type: 'string',
  default: '',
  placeholder: 'e.g. data',
  hint: 'Names of input fields with files. The service fetches them from this n8n when the post is due, so the execution must be kept until then.',
  description:
    'The binary fields of the input item to publish, with commas between them. Each becomes a signed link to this n8n. n8n deletes the file together with the execution: by pruning, or soon after the run when successful executions are not saved.',
};

const accounts: INodeProperties = {
  displayName: 'Accounts',
  name: 'accounts',
  type: 'multiOptions',
  typeOptions: loadedBy('getAccounts', ['options.workspaceId']),
  allowArbitraryValues: true,
  required: true,
  default: [],
  builderHint: {
    propertyHint:
      'IDs of connected accounts, as numbers. Never make them up: leave the list empty for the user, or use an expression on the output of "Get many accounts".',
  },
  description:
    'The accounts that publish the post. An expression may give an array, or a text with commas: IDs, handles, platforms, "instagram:handle", addresses of profiles, or "all" for all active ones.',
};

const publish: INodeProperties = {
  displayName: 'Publish',
  name: 'publish',
  type: 'options',
  default: 'at',
  options: [
    { name: 'After a Delay', value: 'after', description: 'Counted from when the node runs' },
    { name: 'As Soon as Possible', value: 'now', description: 'When the node runs' },
    { name: 'At a Date and Time', value: 'at', description: 'In the time zone below' },
    {
      name: 'In the Next Free Slot',
      value: 'slot',
      description: 'The first time of your week that no post has yet',
    },
  ],
  description: 'When the service publishes the post',
};

const scheduledAt: INodeProperties = {
  displayName: 'Date and Time',
  name: 'scheduledAt',
  type: 'dateTime',
  required: true,
  default: '',
  placeholder: 'e.g. 2026-12-05 09:00:00',
  displayOptions: { show: { publish: ['at'] } },
  hint: 'Read in the time zone below, unless it has an offset such as +01:00',
  description:
    'When to publish. If you type a time, type its seconds, too: 09:00:00. An expression may give a date as people write it, such as 25.12.2026 09:00, 5 Dec 2026 9am or the number of a spreadsheet. An hour that comes twice, when clocks are put back, is the first of the two; one that clocks skip is refused.',
};

/** What the editor resolves when it loads the time zones: n8n doesn't say there what the workflow's is. */
export const WORKFLOW_ZONE: INodeProperties = {
  displayName: 'Time Zone of the Workflow',
  name: 'workflowTimeZone',
  type: 'hidden',
  default: '={{ $now.zoneName }}',
  displayOptions: { show: { publish: ['at', 'slot'] } },
};

const timeZone: INodeProperties = {
  displayName: 'Time Zone',
  name: 'timeZone',
  type: 'options',
  typeOptions: loadedBy('getTimeZones', [WORKFLOW_ZONE.name]),
  allowArbitraryValues: true,
  default: '',
  displayOptions: { show: { publish: ['at', 'slot'] } },
  description:
    'The zone that the date or the slots are in. Type a city to find its zone. An expression may give a city, or a name such as Europe/Berlin. An offset in the date itself wins.',
};

const delay: INodeProperties[] = [
  {
    displayName: 'Delay',
    name: 'delayAmount',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 10,
    displayOptions: { show: { publish: ['after'] } },
    description: 'How long after the node runs to publish the post',
  },
  {
    displayName: 'Unit',
    name: 'delayUnit',
    type: 'options',
    default: 'minutes',
    options: [
      { name: 'Days', value: 'days' },
      { name: 'Hours', value: 'hours' },
      { name: 'Minutes', value: 'minutes' },
    ],
    displayOptions: { show: { publish: ['after'] } },
    description: 'The unit of the delay',
  },
];

const overrides: INodeProperties = {
  displayName: 'Different for Some Accounts',
  name: 'overrides',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Account' },
  placeholder: 'Add Account',
  default: {},
  displayOptions: { show: { '@tool': [false] } },
  description: 'Different text or media for some of the accounts selected above',
  options: [
    {
      displayName: 'Account',
      name: 'override',
      values: [
        recordPicker(
          {
            displayName: 'Social Account',
            name: 'socialAccountId',
            description: 'One of the accounts selected above',
            required: true,
          },
          'searchAccounts',
        ),
        {
          ...text,
          placeholder: 'The same text',
          description: 'What the post says on this account. Leave empty for the text above.',
        },
        {
          ...mediaUrls,
          placeholder: 'The same media',
          description:
            'Images or videos for this account, one URL in each line. Leave empty for the media above.',
        },
        {
          ...mediaFiles,
          hint: '',
          placeholder: 'The same files',
          description:
            'Binary fields of the input item for this account, with commas between them. Leave empty for the files above.',
        },
      ],
    },
  ],
};

/** The parameter that holds what a model gives some accounts of its own. */
export const OWN_TEXTS = 'accountTexts';

const ownTexts: INodeProperties = {
  displayName: 'Texts for Some Accounts',
  name: OWN_TEXTS,
  type: 'string',
  default: '',
  description:
    'Another text for some of the accounts: a JSON object with an account and its text in each entry',
};

/** The fields of a post in the order in which it is composed. */
export const composingFields: INodeProperties[] = [
  ...texts.map(withoutVariantsJson),
  ...[
    shown(mediaUrls, OF_PEOPLE),
    filledByModel(mediaUrls, {
      key: 'media_urls',
      tells:
        'Absolute public URLs of images or videos to publish with the text, with commas between them. Empty for none. Never make up a URL.',
      optional: true,
    }),
    shown(mediaFiles, OF_PEOPLE),
    shown(accounts, OF_PEOPLE),
    filledByModel(
      { ...accounts, type: 'string', typeOptions: {}, allowArbitraryValues: false, default: '' },
      {
        key: 'accounts',
        tells:
          'The accounts that publish the post, with commas between them: the ID of each (from the list of accounts), its handle such as @name, or its platform when only one account is on it.',
      },
    ),
  ].map(withoutVariantsJson),
  publish,
  shown(scheduledAt, OF_PEOPLE),
  filledByModel(scheduledAt, {
    key: 'publish_at',
    tells:
      'When to publish, as ISO 8601 such as 2026-11-21T18:30 (in the time zone of the workflow) or 2026-11-21T18:30+01:00. Must not be in the past.',
  }),
  slotsField,
  timeZone,
  WORKFLOW_ZONE,
  ...delay,
  withoutVariantsJson(overrides),
  withoutVariantsJson(
    filledByModel(ownTexts, {
      key: 'texts_for_accounts',
      tells:
        'Another text for some of the accounts, as JSON: an object with the account as the key, written as in accounts, and its text as the value. Empty when all get the same text.',
      optional: true,
    }),
  ),
];

/** What has no meaning for a post whose time is free and to come. */
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
    displayName: 'If a Post Is Already Scheduled for That Time',
    name: 'ifScheduled',
    type: 'options',
    default: 'create',
    options: [
      { name: 'Create Anyway', value: 'create', description: 'Does not look for other posts' },
      {
        name: 'Skip and Return It',
        value: 'skip',
        description: 'Returns the post that has exactly that time instead of creating one',
      },
      { name: 'Stop With an Error', value: 'fail', description: 'Creates nothing for the item' },
    ],
    description:
      'Use this to have only one post for each time in the workspace, also across executions. Reads the posts of the workspace once for all items; items of the same run count, too.',
  }),
];

const sometimesUsed: INodeProperties[] = [
  {
    displayName: 'Platform Limits',
    name: 'platformCheck',
    type: 'options',
    default: 'warn',
    options: [
      { name: 'Do Not Check', value: 'off' },
      {
        name: 'Stop With an Error',
        value: 'refuse',
        description: 'Nothing is created before all items are within the limits',
      },
      { name: 'Warn', value: 'warn', description: 'Creates the post, and says so' },
    ],
    description:
      'What to do with a post that a platform is known to refuse: too long a text, too many pictures, none where one is needed, or a link to a page of Google Drive or Dropbox instead of a file. Reads the accounts only if a text is long.',
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
        description: 'Refuses the date and says both readings. With dots, the day comes first.',
      },
      { name: 'Day First', value: 'dayFirst', description: '12/05/2026 is 12 May' },
      { name: 'Month First', value: 'monthFirst', description: '12/05/2026 is December 5' },
    ],
    description: 'How to read a date such as 12/05/2026, which may be two days',
  }),
];

const seldomUsed: INodeProperties[] = [
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
      'The text, media and accounts as an array, such as another system gives it: each entry has socialAccountId, content and mediaUrls. Replaces the fields above.',
  },
];

/**
 * The options of a post.
 *
 * @param own those of the operation alone
 */
export const postOptions = (...own: INodeProperties[]): INodeProperties =>
  writeOptions(oftenUsed, [...sometimesUsed, ...own, uncertainPostsOption], seldomUsed);
