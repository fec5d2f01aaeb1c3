import type { IDataObject } from 'n8n-workflow';

import type { Identity } from '../../../idempotency/intent';
import { NEXT_SLOT } from './time';
import type { Variant } from './variants';

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

/** Parameters that sign an address: a service writes others each time that it gives out the address. */
const SIGNATURE = /^(?:x-amz-.*|x-goog-.*|signature|expires|sig|se)$/i;

/** An address without what signs it. */
function unsigned(address: unknown): string {
  const [, start = '', query = ''] = /^([^?#]*)\??([^#]*)/s.exec(String(address)) ?? [];
  const parameters = query.split('&').filter((one) => !SIGNATURE.test(one.split('=')[0] ?? ''));
  return [start, ...parameters].join('&');
}

/** What a post is recognized by: signatures in the addresses of its media change from try to try. */
export function identityOf(
  variants: readonly Variant[],
  { asked, due, status, custom }: PostSettings,
): Identity {
  const said = variants
    .map(({ account, text, media, others = {} }) => ({
      account,
      content: text === '' ? undefined : text,
      media: media.map(({ address, file }) =>
        file === undefined
          ? unsigned(address)
          : [file.data.fileName, file.data.bytes ?? file.data.fileSize],
      ),
      others,
    }))
    .sort((a, b) => Number(a.account) - Number(b.account));
  const isMoment = typeof asked === 'number' || asked === NEXT_SLOT || 'scheduledAt' in custom;
  return {
    full: [said, asked, status, custom],
    timeless: [said, status],
    moment: isMoment ? due : undefined,
  };
}
