import { accountLabel } from '../../../parameters/accounts/accountLabels';
import type { Item } from '../../../parameters/item';
import { FieldError, NOT_BY_WRITER } from '../../../parameters/refusal';
import { momentInWords } from '../../../parameters/times/timeWords';
import { textOf } from '../../../parameters/values';
import { judgeHead, typeOf } from '../../../platforms/hosts';
import { judge, type Media } from '../../../platforms/judge';
import { platformKey } from '../../../platforms/platforms';
import type { Heads } from '../../../service/heads';
import type { Worked } from '../../operation';
import {
  accountWith,
  fieldError,
  IF_WRONG,
  inWords,
  platformOf,
  wrongWith,
  wrongWithTime,
} from '../check';
import type { AccountPost } from '../compose/variant';
import { addressesOf, type Draft } from './draft';
import type { RunOfCreate } from './runOfCreate';

const ONE_PER_ACCOUNT = 'options.onePerAccount';

/** What Preview says of a post, and `heads`, the hosts of its media, of that. */
export function workedOut(one: Draft, heads: Heads, run: RunOfCreate): Worked {
  const { item, composition, ifWrong, isRefused } = one;
  const { body, due, zone, accountPosts, note } = composition;
  const notCreated = run.notCreated(one);
  const wrong = ifWrong === 'ignore' ? [] : wrongWithTime(item, composition);
  const variants = accountPosts.map((post) => variantOf(one, post, heads));
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

function variantOf({ item, accounts, ifWrong, addresses }: Draft, post: AccountPost, heads: Heads) {
  const account = accountWith(post.account, accounts);
  const platform = platformOf(account);
  const media = post.media.map((one): Media => {
    const type = one.address === undefined ? undefined : typeOf(heads.get(one.address));
    return type === undefined ? one : { ...one, type };
  });
  const typed = { ...post, media };
  const { length, limit } = judge(platformKey(platform), typed);
  const byHosts = addressesOf(media)
    .filter((address) => addresses.includes(address))
    .flatMap((address) => judgeHead(address, heads.get(address)))
    .map((one) => fieldError(item, post, one));
  const wrong = ifWrong === 'ignore' ? [] : wrongWith(item, typed, accounts);
  return {
    socialAccountId: post.account ?? null,
    account: account === undefined ? null : accountLabel(account),
    platform: platform === '' ? null : platform,
    content: post.text,
    length,
    limit: limit ?? null,
    mediaUrls: [...addressesOf(media), ...post.files],
    warnings: [
      ...(account === undefined
        ? [`The workspace has no account ${post.account ?? ''}`.trim()]
        : []),
      ...new Set([...wrong, ...byHosts].map(inWords)),
    ],
  };
}
