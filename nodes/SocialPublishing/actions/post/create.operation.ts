import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/json';
import { parseUrl } from '../../../shared/url';
import {
  additionalFields,
  CUSTOM,
  customBodyField,
  customValueField,
  recordPicker,
  workspaceField,
  writeOptions,
} from '../fields';
import type { Item } from '../input/item';
import { BETWEEN_URLS, isEmpty, quote, withoutEmpty } from '../input/values';
import type { WriteOperation } from '../operation';

/** Creates a post (docs/service.md, "POST /posts"). */
export const create: WriteOperation = {
  resource: 'post',
  option: {
    name: 'Create',
    value: 'create',
    action: 'Create a post',
    description: 'Schedule a post with a variant for each social account',
  },
  kind: 'write',
  endpoint: { path: '/posts', field: 'post' },
  did: 'created',
  fields: [
    workspaceField,
    {
      displayName: 'Status',
      name: 'status',
      type: 'options',
      default: 'scheduled',
      options: [
        {
          name: 'Scheduled',
          value: 'scheduled',
          description: 'The service publishes the post at the scheduled time',
        },
        {
          name: 'Custom',
          value: CUSTOM,
          description: 'Another status that your service knows',
        },
      ],
      description: 'The status that the post is created with',
    },
    customValueField('status', { displayName: 'Custom Status', name: 'customStatus' }),
    {
      displayName: 'Scheduled At',
      name: 'scheduledAt',
      type: 'dateTime',
      default: '',
      description:
        'When to publish. A date without an offset is in the time zone of the workflow. Required when Status is Scheduled.',
    },
    {
      displayName: 'Variants Input',
      name: 'variantsInput',
      type: 'options',
      default: 'fields',
      options: [
        { name: 'Fields', value: 'fields', description: 'Fill in a form for each variant' },
        { name: 'JSON', value: 'json', description: 'Give all variants as JSON' },
      ],
      description: 'How to give the variants',
    },
    {
      displayName: 'Variants',
      name: 'variants',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variant' },
      placeholder: 'Add Variant',
      default: { variant: [{}] },
      displayOptions: { show: { variantsInput: ['fields'] } },
      description: 'What to publish on which account',
      options: [
        {
          displayName: 'Variant',
          name: 'variant',
          values: [
            recordPicker(
              {
                displayName: 'Social Account',
                name: 'socialAccountId',
                description: 'The connected account that publishes this variant',
              },
              'searchAccounts',
            ),
            {
              displayName: 'Content',
              name: 'content',
              type: 'string',
              typeOptions: { rows: 4 },
              default: '',
              description: 'The text for this platform. May be empty when there is media.',
            },
            {
              displayName: 'Media URLs',
              name: 'mediaUrls',
              type: 'string',
              typeOptions: { rows: 2 },
              default: '',
              placeholder: 'e.g. https://example.com/picture.jpg',
              description:
                'Absolute URLs of images or videos, one in each line. An expression may give an array.',
            },
          ],
        },
      ],
    },
    {
      displayName: 'Variants (JSON)',
      name: 'variantsJson',
      type: 'json',
      typeOptions: { rows: 8 },
      default:
        '[\n  {\n    "socialAccountId": 1,\n    "content": "Hello",\n    "mediaUrls": []\n  }\n]',
      displayOptions: { show: { variantsInput: ['json'] } },
      description: 'An array of variants, each with socialAccountId, content and mediaUrls',
    },
    additionalFields(customBodyField),
    writeOptions(),
  ],
  body(item) {
    const status = statusOf(item);
    return {
      ...withoutEmpty({
        workspaceId: item.workspaceId(),
        status,
        scheduledAt: scheduledAt(item, status),
        variants: variants(item),
      }),
      ...item.jsonObject('additionalFields.customBodyFields'),
    };
  },
};

const statusOf = (item: Item): string =>
  item.choice('status', 'customStatus') ?? item.refuse('status', 'is empty', 'Choose a status.');

function scheduledAt(item: Item, status: string): string | undefined {
  const time = item.time('scheduledAt');
  if (time === undefined && status === 'scheduled') {
    return item.refuse(
      'scheduledAt',
      'is empty',
      'Enter when to publish, such as 2026-11-21T10:00, or choose another status.',
    );
  }
  return time;
}

function variants(item: Item): IDataObject[] {
  const fromJson = item.value('variantsInput') === 'json';
  const path = fromJson ? 'variantsJson' : 'variants.variant';
  const given = fromJson ? item.json(path) : item.value(path);
  const list: unknown[] = Array.isArray(given) ? given : isEmpty(given) ? [] : [given];
  if (list.length === 0) {
    return item.refuse(
      fromJson ? path : 'variants',
      'has no variant',
      'Add at least one, with a social account and content or media.',
    );
  }
  return list.map((variant, index) => variantOf(item, `${path}[${index}]`, variant));
}

function variantOf(item: Item, path: string, given: unknown): IDataObject {
  if (!isObject(given)) {
    return item.refuse(
      path,
      `is ${quote(given)} instead of an object`,
      'Give each variant as { "socialAccountId": 1, "content": "Hello" }.',
    );
  }
  const { socialAccountId, content, mediaUrls, ...others } = given;
  const account = item.id(`${path}.socialAccountId`, socialAccountId);
  if (account === undefined) {
    return item.refuse(
      `${path}.socialAccountId`,
      'is empty',
      'Choose the account that publishes this variant.',
    );
  }
  const text = item.text(`${path}.content`, content);
  const media = item.list(`${path}.mediaUrls`, BETWEEN_URLS, mediaUrls);
  if (text === undefined && media === undefined) {
    return item.refuse(
      `${path}.content`,
      'is empty, and so is Media URLs',
      'Enter a text or the URL of at least one image or video.',
    );
  }
  for (const url of media ?? []) {
    if (!isAbsoluteUrl(url)) {
      item.refuse(
        `${path}.mediaUrls`,
        `holds ${quote(url)}, which is not an absolute URL`,
        'Give the whole address, beginning with https:// or http://.',
      );
    }
  }
  return withoutEmpty({ socialAccountId: account, content: text, mediaUrls: media, ...others });
}

const isAbsoluteUrl = (url: string): boolean =>
  /^https?:\/\/\S+$/i.test(url) && parseUrl(url) !== undefined;
