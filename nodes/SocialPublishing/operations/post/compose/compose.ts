import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../../shared/json';
import type { Item } from '../../../parameters/item';
import type { FieldError } from '../../../parameters/refusal';
import { idNumber, withoutEmpty } from '../../../parameters/values';
import type { ItemWrite, NextSlot, Note, Slot } from '../../operation';
import { customBodyWarnings } from './customBody';
import { identityOf } from './identity';
import { type DueTime, dueTimeOf, NEXT_SLOT, noneFree, passedWarnings, weekOf } from './time';
import { bodyOf, type Variant, variantsOf, withFiles } from './variants';

const CUSTOM_BODY = 'options.customBodyFields';

/** A post as it is sent, as far as it is checked before. */
export interface PostToCheck {
  /** What each account is to publish, in the order of the body. */
  readonly variants: readonly Variant[];
  /** What is known to be wrong with its time. */
  readonly wrongTime: readonly FieldError[];
}

/** What is known to be wrong with one post. */
export interface Found {
  /** In words. */
  readonly warnings: readonly string[];
  /** Why the post must not be sent, for a user who wants that. */
  readonly refusal?: FieldError;
}

/** What Create writes for an item, with what Preview says of it. Nothing was sent, and no file copied. */
export interface Composition extends ItemWrite, PostToCheck {
  /** When the post is due as it is sent, in Unix milliseconds; `undefined` when it has no time. */
  readonly due: number | undefined;
  /** The time zone that the user chose the time in. */
  readonly zone: string;
  readonly nextSlot?: NextSlot<Composition>;
  readonly note: Note & { readonly warnings: readonly string[] };
}

/**
 * Composes the post of one item: all that Create does short of sending, and of finding its slot. Reads
 * from the service only what it needs to understand the fields.
 * @param check finds what is wrong with it, once all fields are read
 * @throws FieldError for a value that cannot be sent
 */
export async function compose(
  item: Item,
  check: (post: PostToCheck) => Promise<Found> = () => Promise.resolve({ warnings: [] }),
): Promise<Composition> {
  const time = dueTimeOf(item);
  const custom = item.jsonObject(CUSTOM_BODY);
  const ofFields = await variantsOf(item);
  const media = ofFields.flatMap((variant) => variant.media);
  const hasFiles = media.some(({ file }) => file !== undefined);
  const shareLinks = new Set(media.flatMap(({ shared }) => shared ?? [])).size;
  const settings: IDataObject = {
    workspaceId: item.workspaceId(),
    status: item.text('options.status') ?? 'scheduled',
  };
  const given: IDataObject = { ...settings, scheduledAt: time.utc, ...custom };
  const workspaceId = idNumber(given.workspaceId);
  const isItsTime = given.scheduledAt === time.utc;
  const ifTaken = ifTakenOf(item, time, custom);
  // Custom Body Fields may give the time after all.
  const takesSlot = time.asked === NEXT_SLOT && !('scheduledAt' in custom);
  const nextSlot = takesSlot && {
    workspaceId:
      workspaceId ??
      item.refuse(CUSTOM_BODY, 'have a workspaceId that is no number', 'Enter its number.'),
    week: weekOf(item),
    noneFree: noneFree(item),
  };
  const post: PostToCheck = {
    variants: 'variants' in custom ? customVariants(custom) : ofFields,
    wrongTime: isItsTime ? time.wrong : [],
  };
  const found = await check(post);

  const at = (utc: string | undefined): Composition => {
    const bodyWith = (variants: IDataObject[]): IDataObject => ({
      ...withoutEmpty({ ...settings, scheduledAt: utc, variants }),
      ...custom,
    });
    const body = bodyWith(ofFields.map((variant) => bodyOf(variant)));
    const { scheduledAt } = body;
    const due = dueOf(body);
    const isPublished = body.status === 'scheduled' && due !== undefined;
    return {
      ...post,
      body,
      complete: hasFiles
        ? async () => bodyWith(await withFiles(item, ofFields, due ?? Date.parse(utc ?? '')))
        : undefined,
      identity: identityOf(ofFields, { asked: time.asked, due, status: body.status, custom }),
      refusal: time.refusal ?? found.refusal,
      slot:
        typeof scheduledAt !== 'string' || due === undefined || workspaceId === undefined
          ? undefined
          : { workspaceId, scheduledAt, ifTaken },
      fieldFor: (bodyPath) => fieldOf(item, ofFields, bodyPath),
      note: {
        ...(isPublished && { due: { at: due, zone: time.zone } }),
        ...(shareLinks > 0 && { info: () => sentAsFiles(shareLinks) }),
        warnings: [
          ...(isPublished ? passedWarnings(due, item.now) : []),
          ...(isItsTime ? time.warnings : []),
          ...customBodyWarnings(item.label(CUSTOM_BODY), custom),
          ...(hasFiles ? item.fileWarnings(due ?? NaN) : []),
          ...found.warnings,
        ],
      },
      due,
      zone: time.zone,
    };
  };
  return {
    ...at(time.utc),
    ...(nextSlot && {
      nextSlot: { ...nextSlot, at: (moment) => at(new Date(moment).toISOString()) },
    }),
  };
}

/** What becomes of the item when a post has its slot already. */
const ifTakenOf = (item: Item, { asked }: DueTime, custom: IDataObject): Slot['ifTaken'] =>
  // Two posts that go out at once, or after the same delay, are two posts.
  typeof asked === 'number' || 'scheduledAt' in custom
    ? (item.oneOf('options.ifScheduled', ['create', 'skip', 'fail']) ?? 'create')
    : 'create';

/** What each account is to publish by variants that are sent as the user wrote them. */
const customVariants = ({ variants }: IDataObject): Variant[] =>
  (Array.isArray(variants) ? (variants as unknown[]).filter(isObject) : []).map(
    ({ socialAccountId, content, mediaUrls }) => ({
      account: idNumber(socialAccountId),
      text: typeof content === 'string' ? content : '',
      media: (Array.isArray(mediaUrls) ? mediaUrls : []).flatMap((address: unknown) =>
        typeof address === 'string' ? [{ address }] : [],
      ),
      from: { account: CUSTOM_BODY, content: CUSTOM_BODY, mediaUrls: CUSTOM_BODY },
    }),
  );

/** When the post is due as it is sent: Custom Body Fields may override the time. */
function dueOf({ scheduledAt }: IDataObject): number | undefined {
  const due = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : NaN;
  return Number.isNaN(due) ? undefined : due;
}

const sentAsFiles = (links: number): string =>
  links === 1
    ? 'A share link was sent as the address of its file'
    : `${links} share links were sent as the addresses of their files`;

/** The field that the time comes from, by what Publish says. */
const TIME_FIELDS: Readonly<Record<string, string>> = {
  at: 'scheduledAt',
  after: 'delayAmount',
  [NEXT_SLOT]: 'slots',
};

const IN_VARIANT = /^variants\[(\d+)\](?:\.(socialAccountId|content|mediaUrls)\b)?/;

/** The field of the editor for one that the service names, such as `variants[0].content`. */
function fieldOf(item: Item, variants: readonly Variant[], bodyPath: string): string | undefined {
  const [, index, part] = IN_VARIANT.exec(bodyPath) ?? [];
  const from = index === undefined ? undefined : variants[Number(index)]?.from;
  if (from !== undefined) {
    return item.label(part === 'content' || part === 'mediaUrls' ? from[part] : from.account);
  }
  if (/^scheduledAt\b/.test(bodyPath)) {
    return item.label(TIME_FIELDS[item.text('publish') ?? 'at'] ?? 'publish');
  }
  return /^status\b/.test(bodyPath) ? item.label('options.status') : undefined;
}
