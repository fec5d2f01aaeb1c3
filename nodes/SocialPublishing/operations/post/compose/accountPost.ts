import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../../shared/json';
import { idNumber } from '../../../parameters/values';
import type { PostContent } from '../platforms/judge';
import type { VariantDraft } from './variant';

/** What one account is to publish, as the body says. */
export interface AccountPost extends PostContent {
  /** `undefined` when Custom Body Fields give none. */
  readonly account: number | undefined;
  /** The names of the files that are still to become URLs. */
  readonly files: readonly string[];
  /** The paths of the fields that the parts come from. */
  readonly from: Pick<VariantDraft['from'], 'content' | 'mediaUrls'>;
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

const partsOf = (body: IDataObject): Pick<AccountPost, 'account' | 'text' | 'media'> => ({
  account: idNumber(body.socialAccountId),
  text: typeof body.content === 'string' ? body.content : '',
  media: textsIn(body.mediaUrls).map((address) => ({ address })),
});

export function accountPostOf({ body, files, from }: VariantDraft): AccountPost {
  const { media, ...parts } = partsOf(body);
  return {
    ...parts,
    media: [...media, ...files.map(({ file: { data } }) => ({ type: data.mimeType }))],
    files: files.map(({ file: { data } }) => data.fileName ?? 'file'),
    from,
  };
}

/**
 * What each account is to publish by variants that are sent as the user wrote them.
 *
 * @param path the field that they come from
 */
export const accountPostsFromBody = (variants: unknown, path: string): AccountPost[] =>
  (Array.isArray(variants) ? variants.filter(isObject) : []).map((body) => ({
    ...partsOf(body),
    files: [],
    from: { content: path, mediaUrls: path },
  }));
