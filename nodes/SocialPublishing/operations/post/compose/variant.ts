import type { IDataObject } from 'n8n-workflow';

import type { MediaFile } from '../../../parameters/files/fileCopies';
import type { Item } from '../../../parameters/item';
import { withoutEmpty } from '../../../parameters/values';
import { KEEP_SHARE_LINKS } from '../fields/options.fields';
import { shareLinkAt } from '../platforms/shareLinks';

/** A file and the field that names it. */
export interface FileOfField {
  readonly file: MediaFile;
  readonly path: string;
}

/** The addresses of media that a field lists. */
interface MediaAddresses {
  readonly urls: readonly string[];
  /** The share links among them, which are sent as the addresses of their files. */
  readonly shared: readonly string[];
}

/**
 * Reads the addresses of media. A share link that leads to one file becomes the address of the file, unless
 * the user keeps it.
 *
 * @param value what the field holds, where it is not the value at the path
 */
export function mediaAddresses(item: Item, path: string, value = item.value(path)): MediaAddresses {
  const given = item.mediaUrls(path, value);
  if (item.switch(KEEP_SHARE_LINKS)) return { urls: given, shared: [] };
  const files = given.map((url) => shareLinkAt(url)?.file);
  return {
    urls: given.map((url, index) => files[index] ?? url),
    shared: given.filter((_, index) => files[index] !== undefined),
  };
}

/** One variant (docs/service.md, "Post variant") whose files are still to become URLs. */
export interface VariantDraft {
  readonly body: IDataObject;
  readonly files: readonly FileOfField[];
  readonly shared: MediaAddresses['shared'];
  /** The path of the fields that each part of the variant comes from. */
  readonly from: { readonly account: string; readonly content: string; readonly mediaUrls: string };
}

/** The parts of a variant that the service documents; what is empty is not sent. */
export const variantBody = (
  socialAccountId: number,
  content: string | undefined,
  urls: readonly string[],
): IDataObject =>
  withoutEmpty({
    socialAccountId,
    content,
    mediaUrls: urls.length === 0 ? undefined : [...urls],
  });

/** What to do about a variant without text and media. */
export const NOTHING_TO_PUBLISH = 'Enter a text, or the URL of at least one image or video.';

/**
 * The variants with a signed URL for each file, made once for all variants that share it.
 *
 * @param due when the post is due, in Unix milliseconds
 */
export async function withFiles(
  item: Item,
  variants: readonly VariantDraft[],
  due: number,
): Promise<IDataObject[]> {
  const signed = new Map<string, string>();
  for (const { file, path } of variants.flatMap(({ files }) => files)) {
    if (!signed.has(file.key)) signed.set(file.key, await item.signFile(path, file, due));
  }
  return variants.map(({ body, files }) => {
    const { mediaUrls } = body;
    const urls = [
      ...(Array.isArray(mediaUrls) ? mediaUrls.map(String) : []),
      ...files.map(({ file }) => signed.get(file.key) ?? ''),
    ];
    return urls.length === 0 ? body : { ...body, mediaUrls: urls };
  });
}
