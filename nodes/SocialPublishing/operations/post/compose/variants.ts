import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../../shared/json';
import type { FileOfField, Item } from '../../../parameters/item';
import { isEmpty, quote, withoutEmpty } from '../../../parameters/values';
import type { Media, PostContent } from '../../../platforms/judge';
import { shareLinkAt } from '../../../platforms/shareLinks';
import { OWN_TEXTS } from '../fields/content.fields';
import { KEEP_SHARE_LINKS, VARIANTS_JSON } from '../fields/options.fields';

/** A picture or video: its address, or the file that is still to get one. */
export interface VariantMedia extends Media {
  readonly file?: FileOfField;
  /** The share link that is sent as the address of its file. */
  readonly shared?: string;
}

/** What one account is to publish (docs/service.md, "Post variant"). */
export interface Variant extends PostContent {
  /** `undefined` when Custom Body Fields give none. */
  readonly account: number | undefined;
  readonly media: readonly VariantMedia[];
  /** What Variants (JSON) gives beside these. */
  readonly others?: IDataObject;
  /** The paths of the fields that the parts come from. */
  readonly from: { readonly account: string; readonly content: string; readonly mediaUrls: string };
}

/** What to do about a variant without text and media. */
const NOTHING_TO_PUBLISH = 'Enter a text, or the URL of at least one image or video.';

/**
 * The variants of a post: those that the option Variants (JSON) gives, else one for each account.
 * @throws FieldError for a value that cannot be sent
 */
export const variantsOf = async (item: Item): Promise<Variant[]> =>
  await (item.isAdded(VARIANTS_JSON) ? variantsFromJson(item) : variantsFromFields(item));

/** The text and the media that some fields hold: those of the post, or what one account has of its own. */
interface TextAndMedia extends Pick<Variant, 'text' | 'media'> {
  readonly from: Omit<Variant['from'], 'account'>;
}

/** One for each account that the fields select, with its own text and media, else those of the post. */
async function variantsFromFields(item: Item): Promise<Variant[]> {
  const accounts = await item.accounts('accounts');
  if (accounts.length === 0) {
    item.refuse('accounts', 'is empty', 'Select at least one account that publishes the post.');
  }
  const common = await textAndMediaAt(item, '');
  const overrides = await overridesOf(item, accounts);
  return accounts.map((account, index) => {
    const own = overrides.get(account) ?? common;
    const { text, from } = own.text === '' ? common : own;
    const { media, from: fromMedia } = own.media.length === 0 ? common : own;
    if (text === '' && media.length === 0) {
      item.refuse(own.from.content, 'is empty, and there is no media', NOTHING_TO_PUBLISH);
    }
    const { mediaUrls } = fromMedia;
    return { account, text, media, from: { ...from, account: `accounts[${index}]`, mediaUrls } };
  });
}

/** @param prefix where the fields are: empty, or such as `overrides.override[0].` */
async function textAndMediaAt(item: Item, prefix: string): Promise<TextAndMedia> {
  const from = { content: `${prefix}content`, mediaUrls: `${prefix}mediaUrls` };
  const text = item.text(from.content) ?? '';
  const media = mediaAt(item, from.mediaUrls);
  const files = await item.files(`${prefix}mediaFields`);
  return {
    text,
    media: [...media, ...files.map((file) => ({ type: file.data.mimeType, file }))],
    from,
  };
}

/** What the accounts have of their own, by their IDs. */
async function overridesOf(
  item: Item,
  accounts: readonly number[],
): Promise<ReadonlyMap<number, TextAndMedia>> {
  const overrides = new Map<number, TextAndMedia>();
  const add = (field: string, account: number, override: TextAndMedia): void => {
    if (!accounts.includes(account)) {
      item.refuse(
        field,
        `is ${account}, which is not selected in Accounts`,
        'Select the account there, too, or remove this entry.',
      );
    }
    if (overrides.has(account)) {
      item.refuse(field, `is ${account}, which has an entry already`, 'Remove one of the two.');
    }
    overrides.set(account, override);
  };
  for (const path of item.entries('overrides.override')) {
    const field = `${path}.socialAccountId`;
    const account =
      (await item.accountId(field)) ??
      item.refuse(field, 'is empty', 'Select one of the accounts that you selected in Accounts.');
    add(field, account, await textAndMediaAt(item, `${path}.`));
  }
  const from = { content: OWN_TEXTS, mediaUrls: OWN_TEXTS };
  for (const [name, text] of Object.entries(item.jsonObject(OWN_TEXTS))) {
    const account = await item.accountId(OWN_TEXTS, name);
    if (account === undefined) continue;
    add(OWN_TEXTS, account, { text: item.text(OWN_TEXTS, text) ?? '', media: [], from });
  }
  return overrides;
}

async function variantsFromJson(item: Item): Promise<Variant[]> {
  const given = item.json(VARIANTS_JSON);
  const list: unknown[] = Array.isArray(given) ? given : isEmpty(given) ? [] : [given];
  if (list.length === 0) {
    item.refuse(
      VARIANTS_JSON,
      'has no variant',
      'Add at least one, with a social account and text or media.',
    );
  }
  return await Promise.all(
    list.map(
      async (variant, index) => await variantAt(item, `${VARIANTS_JSON}[${index}]`, variant),
    ),
  );
}

async function variantAt(item: Item, path: string, given: unknown): Promise<Variant> {
  if (!isObject(given)) {
    return item.refuse(
      path,
      `is ${quote(given)} instead of an object`,
      'Enter each variant as { "socialAccountId": 1, "content": "Hello" }.',
    );
  }
  const { socialAccountId, content, mediaUrls, ...others } = given;
  const from = {
    account: `${path}.socialAccountId`,
    content: `${path}.content`,
    mediaUrls: `${path}.mediaUrls`,
  };
  const account =
    (await item.accountId(from.account, socialAccountId)) ??
    item.refuse(from.account, 'is empty', 'Enter the account: its ID, handle or platform.');
  const text = item.text(from.content, content) ?? '';
  const media = mediaAt(item, from.mediaUrls, mediaUrls);
  if (text === '' && media.length === 0) {
    item.refuse(from.content, 'is empty, and so is mediaUrls', NOTHING_TO_PUBLISH);
  }
  return { account, text, media, others, from };
}

/**
 * Reads the addresses of media. A share link that leads to one file becomes the address of the file, unless
 * the user keeps it.
 * @param value what the field holds, where it is not the value at the path
 */
function mediaAt(item: Item, path: string, value = item.value(path)): VariantMedia[] {
  const urls = item.mediaUrls(path, value);
  const keepsLinks = item.switch(KEEP_SHARE_LINKS);
  return urls.map((url) => {
    const file = keepsLinks ? undefined : shareLinkAt(url)?.file;
    return file === undefined ? { address: url } : { address: file, shared: url };
  });
}

/**
 * A variant as it is sent; what is empty is not.
 * @param signed the addresses of files by their keys, as far as they have any
 */
export function bodyOf(
  { account, text, media, others }: Variant,
  signed?: ReadonlyMap<string, string>,
): IDataObject {
  const urls = media.flatMap(({ address, file }) => address ?? signed?.get(file?.key ?? '') ?? []);
  return {
    ...withoutEmpty({
      socialAccountId: account,
      content: text === '' ? undefined : text,
      mediaUrls: urls.length === 0 ? undefined : urls,
    }),
    ...others,
  };
}

/**
 * The bodies with a signed URL for each file, made once for all variants that share it.
 * @param due when the post is due, in Unix milliseconds
 */
export async function withFiles(
  item: Item,
  variants: readonly Variant[],
  due: number,
): Promise<IDataObject[]> {
  const signed = new Map<string, string>();
  for (const { file } of variants.flatMap(({ media }) => media)) {
    if (file !== undefined) signed.set(file.key, await item.signFile(file, due));
  }
  return variants.map((variant) => bodyOf(variant, signed));
}
