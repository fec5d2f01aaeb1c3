import type { DisplayCondition, INodeProperties } from 'n8n-workflow';

import { filledByModel, filledByPeople, loadedBy, recordPicker, shown } from '../../fields';
import { VARIANTS_JSON } from './options.fields';

/** What a post says, and on which accounts. */

const FILLED: [DisplayCondition] = [{ _cnd: { exists: true } }];

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
 * The text, required unless there is media or an account has its own. The conditions of these copies
 * exclude each other, so that n8n shows one.
 */
const texts: INodeProperties[] = [
  ...[
    shown(
      { ...text, required: true },
      { hide: { mediaUrls: FILLED, mediaFields: FILLED, '/overrides.override': FILLED } },
    ),
    shown(text, { show: { mediaUrls: FILLED } }),
    shown(text, { show: { mediaFields: FILLED }, hide: { mediaUrls: FILLED } }),
    shown(text, {
      show: { '/overrides.override': FILLED },
      hide: { mediaUrls: FILLED, mediaFields: FILLED },
    }),
  ].map(filledByPeople),
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
    'Public addresses of images or videos, one per line, or links of Google Drive and Dropbox that anyone may open. An expression may give an array.',
};

const mediaFiles: INodeProperties = {
  displayName: 'Media Files',
  name: 'mediaFields',
  type: 'string',
  default: '',
  placeholder: 'e.g. data',
  hint: 'Input fields with files. The service fetches them when the post is due: n8n must keep the execution until then.',
  description:
    'The binary fields of the input item to publish, with commas between them. The service fetches each file from this n8n through a signed link. n8n deletes the files together with the execution: after some days, or soon after the run if executions are not saved.',
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

const overrides: INodeProperties = {
  displayName: 'Different for Some Accounts',
  name: 'overrides',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Account' },
  placeholder: 'Add Account',
  default: {},
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
            'Images or videos for this account, one URL per line. Leave empty for the media above.',
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

/** The parameter in which a model gives some accounts a text of their own. */
export const OWN_TEXTS = 'accountTexts';

const ownTexts: INodeProperties = {
  displayName: 'Texts for Some Accounts',
  name: OWN_TEXTS,
  type: 'string',
  default: '',
  description:
    'Another text for some of the accounts: a JSON object with an account and its text in each entry',
};

/** The text, the media and the accounts, in the order in which a post is composed. */
export const contentFields: INodeProperties[] = [
  ...texts,
  filledByPeople(mediaUrls),
  filledByModel(mediaUrls, {
    key: 'media_urls',
    tells:
      'Absolute public URLs of images or videos to publish with the text, with commas between them. Empty for none. Never make up a URL.',
    optional: true,
  }),
  filledByPeople(mediaFiles),
  filledByPeople(accounts),
  filledByModel(
    { ...accounts, type: 'string', typeOptions: {}, allowArbitraryValues: false, default: '' },
    {
      key: 'accounts',
      tells:
        'The accounts that publish the post, with commas between them: the ID of each (from the list of accounts), its handle such as @name, or its platform when only one account is on it.',
    },
  ),
].map(withoutVariantsJson);

/** What some of the accounts publish instead. */
export const differentFields: INodeProperties[] = [
  filledByPeople(overrides),
  filledByModel(ownTexts, {
    key: 'texts_for_accounts',
    tells:
      'Another text for some of the accounts, as JSON: an object with the account as the key, written as in accounts, and its text as the value. Empty when all get the same text.',
    optional: true,
  }),
].map(withoutVariantsJson);
