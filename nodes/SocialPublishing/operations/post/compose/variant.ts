import type { IDataObject } from 'n8n-workflow';

import type { FileOfField, Item } from '../../../parameters/item';
import { withoutEmpty } from '../../../parameters/values';
import type { Media, PostContent } from '../../../platforms/judge';
import { shareLinkAt } from '../../../platforms/shareLinks';
import { KEEP_SHARE_LINKS } from '../fields/options.fields';

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

/**
 * Reads the addresses of media. A share link that leads to one file becomes the address of the file, unless
 * the user keeps it.
 * @param value what the field holds, where it is not the value at the path
 */
export function mediaAt(item: Item, path: string, value = item.value(path)): VariantMedia[] {
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
    if (file !== undefined && !signed.has(file.key)) {
      signed.set(file.key, await item.signFile(file, due));
    }
  }
  return variants.map((variant) => bodyOf(variant, signed));
}
