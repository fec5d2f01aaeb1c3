import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../../shared/json';
import type { Item } from '../../../parameters/item';
import { idNumber, withoutEmpty } from '../../../parameters/values';
import type { ItemWrite, NextSlot, Note, Slot } from '../../operation';
import { customBodyWarnings } from './customBody';
import { identityOf } from './identity';
import { noneFree, weekOf } from './slots';
import { type DueTime, dueTimeOf, NEXT_SLOT, timeWarnings } from './time';
import { type AccountPost, accountPostOf, type VariantDraft, withFiles } from './variant';
import { variantsOf } from './variants';

const CUSTOM_BODY = 'options.customBodyFields';

/** What Create writes for an item, with what Preview says of it. Nothing was sent, and no file copied. */
export interface Composition extends ItemWrite {
  /** What each account is to publish, in the order of the body. */
  readonly accountPosts: readonly AccountPost[];
  /** When the post is due as it is sent, in Unix milliseconds; `undefined` when it has no time. */
  readonly due: number | undefined;
  /** The time zone that the user chose the time in. */
  readonly zone: string;
  /** Whether its time is a date without a time of day, so that it is midnight. */
  readonly dateOnly: boolean;
  readonly nextSlot?: NextSlot<Composition>;
  readonly note: Note & { readonly warnings: readonly string[] };
}

/**
 * Composes the post of one item: all that Create does short of sending, and of finding its slot. Reads
 * from the service only what it needs to understand the fields.
 * @throws FieldError for a value that cannot be sent
 */
export async function compose(item: Item): Promise<Composition> {
  const time = dueTimeOf(item);
  const custom = item.jsonObject(CUSTOM_BODY);
  const parts: Parts = {
    item,
    variants: await variantsOf(item),
    custom,
    workspaceId: item.workspaceId(),
    status: item.text('options.status') ?? 'scheduled',
    // Two posts that go out at once, or after the same delay, are two posts.
    ifTaken: typeof time.asked === 'number' || 'scheduledAt' in custom ? ifTakenOf(item) : 'create',
  };
  const composition = composedAt(time, parts);
  // Custom Body Fields may give the time after all.
  if (time.asked !== NEXT_SLOT || 'scheduledAt' in parts.custom) return composition;
  const nextSlot: NextSlot<Composition> = {
    workspaceId:
      idNumber(composition.body.workspaceId) ??
      item.refuse(CUSTOM_BODY, 'have a workspaceId that is no number', 'Enter its number.'),
    week: weekOf(item),
    at: (slot) => composedAt({ ...time, utc: new Date(slot).toISOString() }, parts),
    noneFree: noneFree(item),
  };
  return { ...composition, nextSlot };
}

/** What becomes of the item when a post has its slot already. */
const ifTakenOf = (item: Item): Slot['ifTaken'] =>
  item.oneOf('options.ifScheduled', ['create', 'skip', 'fail']) ?? 'create';

/** Everything in a post except its time. */
interface Parts {
  readonly item: Item;
  readonly variants: readonly VariantDraft[];
  readonly custom: IDataObject;
  readonly workspaceId: number;
  readonly status: string;
  readonly ifTaken: Slot['ifTaken'];
}

function composedAt(time: DueTime, parts: Parts): Composition {
  const { item, variants, custom, workspaceId, status, ifTaken } = parts;
  const bodyWith = (sent: readonly IDataObject[]): IDataObject => ({
    ...withoutEmpty({ workspaceId, status, scheduledAt: time.utc, variants: [...sent] }),
    ...custom,
  });
  const body = bodyWith(variants.map((variant) => variant.body));
  const due = dueOf(body);
  const isPublished = body.status === 'scheduled' && due !== undefined;
  const hasFiles = variants.some(({ files }) => files.length > 0);
  const shareLinks = new Set(variants.flatMap(({ shared }) => shared)).size;
  return {
    body,
    complete: hasFiles
      ? async () => bodyWith(await withFiles(item, variants, due ?? Date.parse(time.utc ?? '')))
      : undefined,
    identity: identityOf(variants, { asked: time.asked, due, status: body.status, custom }),
    refusal: time.refusal,
    slot: slotOf(body, ifTaken),
    fieldFor: (bodyPath) => fieldOf(item, variants, bodyPath),
    note: {
      ...(isPublished && { due: { at: due, zone: time.zone } }),
      ...(shareLinks > 0 && { info: () => sentAsFiles(shareLinks) }),
      warnings: [
        ...timeWarnings(time, body, due, item.now),
        ...customBodyWarnings(item.label(CUSTOM_BODY), custom),
        ...(hasFiles ? item.fileWarnings(due ?? NaN) : []),
      ],
    },
    accountPosts: 'variants' in custom ? customPosts(custom) : variants.map(accountPostOf),
    due,
    zone: time.zone,
    dateOnly: time.dateOnly && body.scheduledAt === time.utc,
  };
}

/** What each account is to publish by variants that are sent as the user wrote them. */
const customPosts = ({ variants }: IDataObject): AccountPost[] =>
  (Array.isArray(variants) ? (variants as unknown[]).filter(isObject) : []).map((body) =>
    accountPostOf({ body, files: [], from: { content: CUSTOM_BODY, mediaUrls: CUSTOM_BODY } }),
  );

/** When the post is due as it is sent: Custom Body Fields may override the time. */
function dueOf({ scheduledAt }: IDataObject): number | undefined {
  const due = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : NaN;
  return Number.isNaN(due) ? undefined : due;
}

/** The slot that the post takes as it is sent; `undefined` without a valid time and workspace. */
function slotOf(body: IDataObject, ifTaken: Slot['ifTaken']): Slot | undefined {
  const { scheduledAt } = body;
  const workspaceId = idNumber(body.workspaceId);
  return typeof scheduledAt !== 'string' || dueOf(body) === undefined || workspaceId === undefined
    ? undefined
    : { workspaceId, scheduledAt, ifTaken };
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
function fieldOf(
  item: Item,
  variants: readonly VariantDraft[],
  bodyPath: string,
): string | undefined {
  const [, index, part] = IN_VARIANT.exec(bodyPath) ?? [];
  const from = index === undefined ? undefined : variants[Number(index)]?.from;
  if (from !== undefined) {
    if (part === 'content') return item.label(from.content);
    return item.label(part === 'mediaUrls' ? from.mediaUrls : from.account);
  }
  if (/^scheduledAt\b/.test(bodyPath)) {
    return item.label(TIME_FIELDS[item.text('publish') ?? 'at'] ?? 'publish');
  }
  return /^status\b/.test(bodyPath) ? item.label('options.status') : undefined;
}
