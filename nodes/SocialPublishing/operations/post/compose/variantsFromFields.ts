import type { Item } from '../../../parameters/item';
import { OWN_TEXTS } from '../fields/content.fields';
import {
  type FileOfField,
  mediaAddresses,
  NOTHING_TO_PUBLISH,
  variantBody,
  type VariantDraft,
} from './variant';

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

/**
 * A variant for each account that the fields select: with the text and the media of the post, unless
 * the account has its own.
 *
 * @throws FieldError for a value that cannot be sent
 */
export async function variantsFromFields(item: Item): Promise<VariantDraft[]> {
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
