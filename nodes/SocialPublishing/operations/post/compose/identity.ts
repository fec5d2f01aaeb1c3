import type { IDataObject } from 'n8n-workflow';

import type { Identity } from '../../../idempotency/intent';
import { isNamedInQuery } from '../platforms/shareLinks';
import { NEXT_SLOT } from './time';
import type { VariantDraft } from './variant';

/** What a post has apart from its variants. */
interface PostSettings {
  /** The time asked for, the same on each try: `now`, a delay, the next slot, or a moment. */
  readonly asked: unknown;
  /** When the post is due as it is sent, in Unix milliseconds. */
  readonly due: number | undefined;
  readonly status: IDataObject[string];
  /** The custom fields of its body. */
  readonly custom: IDataObject;
}

const withoutSignature = (url: unknown): string =>
  isNamedInQuery(String(url)) ? String(url) : String(url).replace(/[?#].*$/s, '');

/** What a post is recognized by: signatures in the addresses of its media change from try to try. */
export function identityOf(
  variants: readonly VariantDraft[],
  { asked, due, status, custom }: PostSettings,
): Identity {
  const said = variants
    .map(({ body: { socialAccountId, content, mediaUrls, ...others }, files }) => ({
      text: [socialAccountId, content],
      media: [
        ...(Array.isArray(mediaUrls) ? mediaUrls.map(withoutSignature) : []),
        ...files.map(({ file: { data } }) => [data.fileName, data.bytes ?? data.fileSize]),
      ],
      others,
    }))
    .sort((a, b) => Number(a.text[0]) - Number(b.text[0]));
  const isMoment = typeof asked === 'number' || asked === NEXT_SLOT || 'scheduledAt' in custom;
  return {
    text: said.map(({ text }) => text),
    content: said,
    full: [said, asked, status, custom],
    moment: isMoment ? due : undefined,
  };
}
