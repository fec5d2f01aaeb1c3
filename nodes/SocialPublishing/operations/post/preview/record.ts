import { accountLabel } from '../../../parameters/accounts/accountLabels';
import type { Item } from '../../../parameters/item';
import { FieldError, NOT_BY_WRITER } from '../../../parameters/refusal';
import { momentInWords } from '../../../parameters/times/timeWords';
import { textOf } from '../../../parameters/values';
import { judgeHead, typeOf } from '../../../platforms/hosts';
import { judge } from '../../../platforms/judge';
import { platformKey } from '../../../platforms/platforms';
import type { Heads } from '../../../service/heads';
import type { Worked } from '../../operation';
import { accountWith, fieldError, IF_WRONG, inWords, wrongWith } from '../check';
import type { Variant, VariantMedia } from '../compose/variants';
import { addressesOf, type Draft, type RunOfCreate } from './runOfCreate';

const ONE_PER_ACCOUNT = 'options.onePerAccount';

/** What Preview says of a post, and `heads`, the hosts of its media, of that. */
export function workedOut(one: Draft, heads: Heads, run: RunOfCreate): Worked {
  const { item, composition, ifWrong, isRefused } = one;
  const { body, due, zone, note } = composition;
  const notCreated = run.notCreated(one);
  const wrong = ifWrong === 'ignore' ? [] : composition.wrongTime;
  const variants = composition.variants.map((variant) => variantOf(one, variant, heads));
  const remarks = [...note.warnings, ...wrong.map(inWords), ...(notCreated ? [notCreated] : [])];
  const ofPost = isRefused
    ? [...remarks, `Create stops with an error, as the option ${item.label(IF_WRONG)} says`]
    : remarks;
  const isCreated = notCreated === undefined && !isRefused;
  const record = {
    workspaceId: body.workspaceId,
    scheduledAt: body.scheduledAt ?? null,
    due: due === undefined ? null : momentInWords(due, zone),
    variants,
    warnings: ofPost,
    requests: run.requestsFor(one, isCreated),
  };
  return {
    records: item.switch(ONE_PER_ACCOUNT)
      ? variants.map((variant) => ({
          due: record.due ?? '',
          account: variant.account ?? `ID ${variant.socialAccountId ?? ''}`,
          platform: variant.platform ?? '',
          text: variant.content,
          picture: variant.mediaUrls[0] ?? '',
          remarks: remarksOf([...remarks, ...variant.warnings], isCreated),
        }))
      : [record],
    warnings: [...ofPost, ...variants.flatMap((variant) => variant.warnings)],
  };
}

/** Warnings as one text for a person, that also says when no post is created. */
const remarksOf = (warnings: readonly string[], isCreated: boolean): string =>
  [...(isCreated ? [] : ['Not created']), ...warnings].map((text) => `${text}.`).join(' ');

/**
 * The item of a post that can't be created, for users who want one for each account.
 * @throws `error` for all others
 */
export function refusedRow(item: Item, error: unknown): Worked {
  if (!(error instanceof FieldError) || !item.switch(ONE_PER_ACCOUNT)) throw error;
  const accounts: unknown = item.value('accounts');
  return {
    records: [
      {
        due: '',
        account: Array.isArray(accounts) ? accounts.map(textOf).join(', ') : textOf(accounts),
        platform: '',
        text: textOf(item.value('content')),
        picture: '',
        remarks: `Not created. ${error.forWriter ?? NOT_BY_WRITER}`,
      },
    ],
    warnings: [inWords(error)],
  };
}

function variantOf({ item, accounts, ifWrong, addresses }: Draft, given: Variant, heads: Heads) {
  const account = accountWith(given.account, accounts);
  const platform = textOf(account?.platform);
  const media = given.media.map((one): VariantMedia => {
    const type = one.address === undefined ? undefined : typeOf(heads.get(one.address));
    return type === undefined ? one : { ...one, type };
  });
  const variant = { ...given, media };
  const { length, limit } = judge(platformKey(platform), variant);
  const byHosts = addressesOf(media)
    .filter((address) => addresses.includes(address))
    .flatMap((address) => judgeHead(address, heads.get(address)))
    .map((one) => fieldError(item, variant, one));
  const wrong = ifWrong === 'ignore' ? [] : wrongWith(item, variant, accounts);
  return {
    socialAccountId: variant.account ?? null,
    account: account === undefined ? null : accountLabel(account),
    platform: platform === '' ? null : platform,
    content: variant.text,
    length,
    limit: limit ?? null,
    mediaUrls: media.map(({ address, file }) => address ?? file?.data.fileName ?? 'file'),
    warnings: [
      ...(account === undefined
        ? [`The workspace has no account ${variant.account ?? ''}`.trim()]
        : []),
      ...new Set([...wrong, ...byHosts].map(inWords)),
    ],
  };
}
