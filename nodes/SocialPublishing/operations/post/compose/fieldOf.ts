import type { Item } from '../../../parameters/item';
import { NEXT_SLOT } from './time';
import type { VariantDraft } from './variant';

/** The field that the time comes from, by what Publish says. */
const TIME_FIELDS: Readonly<Record<string, string>> = {
  at: 'scheduledAt',
  after: 'delayAmount',
  [NEXT_SLOT]: 'slots',
};

const IN_VARIANT = /^variants\[(\d+)\](?:\.(socialAccountId|content|mediaUrls)\b)?/;

/**
 * The field of the editor for one that the service names; `undefined` when there is none.
 *
 * @param bodyPath where in the body it is, such as `variants[0].content`
 */
export function fieldOf(
  item: Item,
  variants: readonly VariantDraft[],
  bodyPath: string,
): string | undefined {
  const [, index, part] = IN_VARIANT.exec(bodyPath) ?? [];
  const from = index === undefined ? undefined : variants[Number(index)]?.from;
  if (from !== undefined) {
    if (part === 'content') return item.label(from.content);
    return item.label(part === 'mediaUrls' ? from.mediaUrls : from.account);
  }
  if (/^scheduledAt\b/.test(bodyPath)) {
    return item.label(TIME_FIELDS[item.text('publish') ?? 'at'] ?? 'publish');
  }
  return /^status\b/.test(bodyPath) ? item.label('options.status') : undefined;
}
