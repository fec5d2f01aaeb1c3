import { isObject } from '../../../../shared/json';
import type { Item } from '../../../parameters/item';
import { isEmpty, quote } from '../../../parameters/values';
import { VARIANTS_JSON } from '../fields/options.fields';
import { mediaAddresses, NOTHING_TO_PUBLISH, variantBody, type VariantDraft } from './variant';

/**
 * The variants that the option Variants (JSON) gives.
 *
 * @throws FieldError for a value that cannot be sent
 */
export function variantsFromJson(item: Item): VariantDraft[] {
  const given = item.json(VARIANTS_JSON);
  const list: unknown[] = Array.isArray(given) ? given : isEmpty(given) ? [] : [given];
  if (list.length === 0) {
    item.refuse(
      VARIANTS_JSON,
      'has no variant',
      'Add at least one, with a social account and text or media.',
    );
  }
  return list.map((variant, index) => variantAt(item, `${VARIANTS_JSON}[${index}]`, variant));
}

function variantAt(item: Item, path: string, given: unknown): VariantDraft {
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
    item.id(from.account, socialAccountId) ??
    item.refuse(from.account, 'is empty', 'Enter the ID of the account.');
  const text = item.text(from.content, content);
  const { urls, shared } = mediaAddresses(item, from.mediaUrls, mediaUrls);
  if (text === undefined && urls.length === 0) {
    item.refuse(from.content, 'is empty, and so is mediaUrls', NOTHING_TO_PUBLISH);
  }
  return { body: { ...variantBody(account, text, urls), ...others }, files: [], shared, from };
}
