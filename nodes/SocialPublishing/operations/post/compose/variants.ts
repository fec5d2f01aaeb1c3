import { isObject } from '../../../../shared/json';
import type { Item } from '../../../parameters/item';
import { isEmpty, quote } from '../../../parameters/values';
import { OWN_TEXTS } from '../fields/content.fields';
import { VARIANTS_JSON } from '../fields/options.fields';
import { type FileOfField, mediaAddresses, variantBody, type VariantDraft } from './variant';

/** What to do about a variant without text and media. */
const NOTHING_TO_PUBLISH = 'Enter a text, or the URL of at least one image or video.';

/**
 * The variants of a post: those that the option Variants (JSON) gives, else one for each account.
 * @throws FieldError for a value that cannot be sent
 */
export const variantsOf = async (item: Item): Promise<VariantDraft[]> =>
  await (item.isAdded(VARIANTS_JSON) ? variantsFromJson(item) : variantsFromFields(item));

/** The text and the media that some fields hold. */
interface TextAndMedia {
  readonly text: string | undefined;
  readonly urls: readonly string[];
  readonly shared: VariantDraft['shared'];
  readonly files: readonly FileOfField[];
}

/** What one account has of its own, and the paths of the fields that it comes from. */
interface Override extends TextAndMedia {
  readonly from: Pick<VariantDraft['from'], 'content' | 'mediaUrls'>;
}

/** One for each account that the fields select, with its own text and media, else those of the post. */
async function variantsFromFields(item: Item): Promise<VariantDraft[]> {
  const accounts = await item.accounts('accounts');
  if (accounts.length === 0) {
    item.refuse('accounts', 'is empty', 'Select at least one account that publishes the post.');
  }
  const common = await textAndMediaAt(item, '');
  const overrides = await overridesOf(item, accounts);
  return accounts.map((account, index) => {
    const own = overrides.get(account);
    const ownText = own?.text !== undefined;
    const ownMedia = own !== undefined && (own.urls.length > 0 || own.files.length > 0);
    const text = own?.text ?? common.text;
    const { urls, shared, files } = ownMedia ? own : common;
    if (text === undefined && urls.length === 0 && files.length === 0) {
      const path = own?.from.content ?? 'content';
      item.refuse(path, 'is empty, and there is no media', NOTHING_TO_PUBLISH);
    }
    return {
      body: variantBody(account, text, urls),
      files,
      shared,
      from: {
        account: `accounts[${index}]`,
        content: ownText ? own.from.content : 'content',
        mediaUrls: ownMedia ? own.from.mediaUrls : 'mediaUrls',
      },
    };
  });
}

/** @param prefix where the fields are: empty, or such as `overrides.override[0].` */
async function textAndMediaAt(item: Item, prefix: string): Promise<TextAndMedia> {
  const path = `${prefix}mediaFields`;
  return {
    text: item.text(`${prefix}content`),
    ...mediaAddresses(item, `${prefix}mediaUrls`),
    files: (await item.files(path)).map((file) => ({ file, path })),
  };
}

/** What the accounts have of their own, by their IDs. */
async function overridesOf(
  item: Item,
  accounts: readonly number[],
): Promise<ReadonlyMap<number, Override>> {
  const overrides = new Map<number, Override>();
  const add = (field: string, account: number, override: Override): void => {
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
    const from = { content: `${path}.content`, mediaUrls: `${path}.mediaUrls` };
    add(field, account, { ...(await textAndMediaAt(item, `${path}.`)), from });
  }
  for (const [name, text] of Object.entries(item.jsonObject(OWN_TEXTS))) {
    const account = await item.accountId(OWN_TEXTS, name);
    if (account === undefined) continue;
    const from = { content: OWN_TEXTS, mediaUrls: OWN_TEXTS };
    add(OWN_TEXTS, account, {
      text: item.text(OWN_TEXTS, text),
      urls: [],
      shared: [],
      files: [],
      from,
    });
  }
  return overrides;
}

async function variantsFromJson(item: Item): Promise<VariantDraft[]> {
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

async function variantAt(item: Item, path: string, given: unknown): Promise<VariantDraft> {
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
  const text = item.text(from.content, content);
  const { urls, shared } = mediaAddresses(item, from.mediaUrls, mediaUrls);
  if (text === undefined && urls.length === 0) {
    item.refuse(from.content, 'is empty, and so is mediaUrls', NOTHING_TO_PUBLISH);
  }
  return { body: { ...variantBody(account, text, urls), ...others }, files: [], shared, from };
}
