import type { IDataObject } from 'n8n-workflow';

import type { Identity } from '../../../idempotency/intent';
import type { Item } from '../../../parameters/item';
import type { FieldError } from '../../../parameters/refusal';
import { idNumber, withoutEmpty } from '../../../parameters/values';
import type { NextSlot, Note, Slot } from '../../operation';
import { VARIANTS_JSON } from '../fields/options.fields';
import { type AccountPost, accountPostOf, accountPostsFromBody } from './accountPost';
import { customBodyWarnings } from './customBody';
import { fieldOf } from './fieldOf';
import { identityOf } from './identity';
import { noneFree, weekOf } from './slots';
import { type DueTime, dueTimeOf, NEXT_SLOT } from './time';
import { type VariantDraft, withFiles } from './variant';
import { variantsFromFields } from './variantsFromFields';
import { variantsFromJson } from './variantsFromJson';
import { warningsOf } from './warnings';

const CUSTOM_BODY = 'options.customBodyFields';

/** A post as the fields of one item compose it. Nothing was sent for it, and no file copied. */
export interface Composition {
  /** The body as it is sent, but for the URLs of its files. */
  readonly body: IDataObject;
  /** Copies the files of the post, and completes the body; absent when it has none. */
  readonly complete?: () => Promise<IDataObject>;
  /** What each account is to publish, in the order of the body. */
  readonly accountPosts: readonly AccountPost[];
  /** When the post is due as it is sent, in Unix milliseconds; `undefined` when it has no time. */
  readonly due: number | undefined;
  /** The time zone that the user chose the time in. */
  readonly zone: string;
  /** Whether its time is a date without a time of day, so that it is midnight. */
  readonly dateOnly: boolean;
  readonly slot?: Slot;
  /** The slot that is still to be found: the body has no time yet. */
  readonly nextSlot?: NextSlot<Composition>;
  /** What it is recognized by on a retry. */
  readonly identity: Identity;
  /** Why it must not be sent now: its time has passed. */
  readonly refusal?: FieldError;
  /** What the user should know of the time and the files, in words. */
  readonly warnings: readonly string[];
  /** How many share links are sent as the addresses of their files. */
  readonly shareLinks: number;
  /** See {@link ItemWrite}. */
  readonly fieldFor: (bodyPath: string) => string | undefined;
}

/**
 * Composes the post of one item: all that Create does short of sending, and of finding its slot. Reads
 * from the service only what it needs to understand the fields.
 *
 * @throws FieldError for a value that cannot be sent
 */
export async function compose(item: Item): Promise<Composition> {
  const time = dueTimeOf(item);
  const custom = item.jsonObject(CUSTOM_BODY);
  const parts: Parts = {
    item,
    variants: item.isAdded(VARIANTS_JSON) ? variantsFromJson(item) : await variantsFromFields(item),
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
  const hasFiles = variants.some(({ files }) => files.length > 0);
  return {
    body,
    ...(hasFiles && {
      complete: async () =>
        bodyWith(await withFiles(item, variants, due ?? Date.parse(time.utc ?? ''))),
    }),
    accountPosts:
      'variants' in custom
        ? accountPostsFromBody(custom.variants, CUSTOM_BODY)
        : variants.map(accountPostOf),
    due,
    zone: time.zone,
    dateOnly: time.dateOnly && body.scheduledAt === time.utc,
    ...slotOf(body, ifTaken),
    identity: identityOf(variants, { asked: time.asked, due, status: body.status, custom }),
    ...(time.refusal && { refusal: time.refusal }),
    warnings: [
      ...warningsOf(time, { due, now: item.now, isScheduled: isScheduled(body), body }),
      ...customBodyWarnings(item.label(CUSTOM_BODY), custom),
      ...(hasFiles ? item.fileWarnings(due ?? NaN) : []),
    ],
    shareLinks: new Set(variants.flatMap(({ shared }) => shared)).size,
    fieldFor: (bodyPath) => fieldOf(item, variants, bodyPath),
  };
}

/** When the post is due as it is sent: Custom Body Fields may override the time. */
function dueOf({ scheduledAt }: IDataObject): number | undefined {
  const due = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : NaN;
  return Number.isNaN(due) ? undefined : due;
}

/** The slot that the post takes as it is sent; absent without a valid time and workspace. */
function slotOf(body: IDataObject, ifTaken: Slot['ifTaken']): { readonly slot?: Slot } {
  const { scheduledAt } = body;
  const workspaceId = idNumber(body.workspaceId);
  return typeof scheduledAt !== 'string' || dueOf(body) === undefined || workspaceId === undefined
    ? {}
    : { slot: { workspaceId, scheduledAt, ifTaken } };
}

const isScheduled = ({ status }: IDataObject): boolean => status === 'scheduled';

/** When a post is due that is to be published, and in which zone; `undefined` for every other. */
export const dueOfPost = ({ body, due, zone }: Composition): Note['due'] =>
  isScheduled(body) && due !== undefined ? { at: due, zone } : undefined;
