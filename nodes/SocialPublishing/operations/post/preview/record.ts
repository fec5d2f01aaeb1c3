import type { IDataObject } from 'n8n-workflow';

import { accountLabel, isActive } from '../../../parameters/accounts/accountLabels';
import { platformKey } from '../../../parameters/accounts/platforms';
import { timeInWords } from '../../../parameters/times/timeWords';
import type { Heads } from '../../../service/heads';
import type { Worked } from '../../operation';
import type { AccountPost } from '../compose/accountPost';
import { accountWith, inactiveWords, objectionInWords, platformOf } from '../platformCheck';
import { judgeHead, typeOf } from '../platforms/heads';
import { judge, judgeAddresses, type Media } from '../platforms/judge';
import { addressesOf, type Draft } from './draft';
import type { RunOfCreate } from './runOfCreate';

/**
 * What Preview says of a post.
 *
 * @param heads what the hosts of the media say of them
 * @param now Unix milliseconds
 */
export function workedOut(one: Draft, heads: Heads, run: RunOfCreate, now: number): Worked {
  const { composition } = one;
  const { body, due, zone, accountPosts, warnings } = composition;
  const notCreated = run.notCreated(one);
  const variants = accountPosts.map((post) => variantOf(one, post, heads));
  const ofPost = [...warnings, ...(notCreated === undefined ? [] : [notCreated])];
  return {
    record: {
      workspaceId: body.workspaceId,
      scheduledAt: body.scheduledAt ?? null,
      due: due === undefined ? null : timeInWords(due, zone, now),
      variants,
      warnings: ofPost,
      requests: run.requestsFor(one, notCreated === undefined),
    },
    warnings: [...ofPost, ...variants.flatMap((variant) => variant.warnings)],
  };
}

function variantOf(
  { item, accounts, check, addresses }: Draft,
  post: AccountPost,
  heads: Heads,
): IDataObject & { readonly warnings: string[] } {
  const account = accountWith(post.account, accounts);
  const platform = platformOf(account);
  const media = post.media.map((one): Media => {
    const type = one.address === undefined ? undefined : typeOf(heads.get(one.address));
    return type === undefined ? one : { ...one, type };
  });
  const { length, limit, objections } = judge(platformKey(platform), { ...post, media });
  const byPlatforms = check === 'off' ? [] : [...judgeAddresses(media), ...objections];
  const byHosts = addressesOf(media)
    .filter((address) => addresses.includes(address))
    .flatMap((address) => judgeHead(address, heads.get(address)));
  const words = [...byPlatforms, ...byHosts].map((one) => objectionInWords(item, post, one));
  return {
    socialAccountId: post.account ?? null,
    account: account === undefined ? null : accountLabel(account),
    platform: platform === '' ? null : platform,
    content: post.text,
    length,
    limit: limit ?? null,
    mediaUrls: [...addressesOf(media), ...post.files],
    warnings: [...accountWarnings(post.account, account), ...new Set(words)],
  };
}

function accountWarnings(id: number | undefined, account: IDataObject | undefined): string[] {
  if (account === undefined) return [`The workspace has no account ${id ?? ''}`.trim()];
  return isActive(account) ? [] : [inactiveWords(account)];
}
