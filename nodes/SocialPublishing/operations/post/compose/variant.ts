import type { IDataObject } from 'n8n-workflow';

import type { MediaFile } from '../../../parameters/files/fileCopies';
import type { Item } from '../../../parameters/item';
import { idNumber, withoutEmpty } from '../../../parameters/values';
import type { PostContent } from '../../../platforms/judge';
import { shareLinkAt } from '../../../platforms/shareLinks';
import { KEEP_SHARE_LINKS } from '../fields/options.fields';

/** A file and the field that names it. */
export interface FileOfField {
  readonly file: MediaFile;
  readonly path: string;
}

/**
 * Reads the addresses of media. A share link that leads to one file becomes the address of the file, unless
 * the user keeps it.
 * @param value what the field holds, where it is not the value at the path
 */
export function mediaAddresses(
  item: Item,
  path: string,
  value = item.value(path),
): { readonly urls: readonly string[]; readonly shared: VariantDraft['shared'] } {
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
  /** The share links that are sent as the addresses of their files. */
  readonly shared: readonly string[];
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

/**
 * The variants with a signed URL for each file, made once for all variants that share it.
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

/** What one account is to publish, as the body says. */
export interface AccountPost extends PostContent {
  /** `undefined` when Custom Body Fields give none. */
  readonly account: number | undefined;
  /** The names of the files that are still to become URLs. */
  readonly files: readonly string[];
  /** The paths of the fields that the parts come from. */
  readonly from: Pick<VariantDraft['from'], 'content' | 'mediaUrls'>;
}

export const accountPostOf = ({
  body: { socialAccountId, content, mediaUrls },
  files,
  from,
}: Pick<VariantDraft, 'body' | 'files'> & Pick<AccountPost, 'from'>): AccountPost => ({
  account: idNumber(socialAccountId),
  text: typeof content === 'string' ? content : '',
  media: [
    ...(Array.isArray(mediaUrls) ? mediaUrls : []).flatMap((address: unknown) =>
      typeof address === 'string' ? [{ address }] : [],
    ),
    ...files.map(({ file: { data } }) => ({ type: data.mimeType })),
  ],
  files: files.map(({ file: { data } }) => data.fileName ?? 'file'),
  from,
});
