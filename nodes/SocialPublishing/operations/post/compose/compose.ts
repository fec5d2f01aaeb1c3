import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/json';
import type { Identity } from '../../idempotency/intent';
import { FieldError } from '../../parameters/fieldError';
import type { MediaFile } from '../../parameters/files';
import type { Item, Time } from '../../parameters/item';
import { isDelayUnit, timeAfter } from '../../parameters/times';
import { idNumber, isEmpty, quote, withoutEmpty } from '../../parameters/values';
import type { NextSlot, Note, Slot } from '../operation';
import { OWN_TEXTS, VARIANTS_JSON } from './create.fields';
import type { Publication } from './platforms/judge';
import { noneFree, weekOf } from './slots.fields';

/** A time that has passed by less is published at once: n8n took that long to get here. */
const TOLERATED_MS = 5 * 60 * 1000;

const CUSTOM_BODY = 'options.customBodyFields';

/** What one account is to publish, as the body says. */
export interface Published extends Publication {
  /** `undefined` when Custom Body Fields give none. */
  readonly account: number | undefined;
  /** The names of the files that are still to become URLs. */
  readonly files: readonly string[];
  /** The paths of the fields that the parts come from. */
  readonly from: Pick<Variant['from'], 'content' | 'mediaUrls'>;
}

/** A post as the fields of one item compose it. Nothing was sent for it, and no file copied. */
export interface Composition {
  /** The body as it is sent, but for the URLs of its files. */
  readonly body: IDataObject;
  /** Copies the files of the post, and completes the body; absent when it has none. */
  readonly complete?: () => Promise<IDataObject>;
  /** What each account is to publish, in the order of the body. */
  readonly published: readonly Published[];
  /** When the post is due as it is sent, in Unix milliseconds; `undefined` when it has no time. */
  readonly due: number | undefined;
  /** The time zone that the user chose the time in. */
  readonly zone: string;
  readonly slot?: Slot;
  /** The slot that is still to be found: the body has no time yet. */
  readonly nextSlot?: NextSlot<Composition>;
  /** What it is recognized by on a retry. */
  readonly identity: Identity;
  /** Why it must not be sent now: its time has passed. */
  readonly refusal?: FieldError;
  /** What the user should know of the time and the files, in words. */
  readonly warnings: readonly string[];
  /** See {@link ItemWrite}. */
  readonly fieldFor: (bodyPath: string) => string | undefined;
}

/**
 * Composes the post of one item: all that Create does short of sending, and of finding its slot. Reads
 * from the service only what the fields cannot be understood without.
 *
 * @param now Unix milliseconds
 * @throws FieldError for a value that cannot be sent
 */
export async function compose(item: Item, now: number): Promise<Composition> {
  const time = timeOf(item, now);
  const variants = await variantsOf(item);
  const custom = item.jsonObject(CUSTOM_BODY);
  const parts = {
    item,
    now,
    workspaceId: item.workspaceId(),
    status: item.text('options.status') ?? 'scheduled',
    ifTaken: time.asked === NEXT_SLOT ? ('create' as const) : ifTakenOf(item),
    custom,
    variants,
  };
  const composition = composedAt(time, parts);
  // Custom Body Fields may give the time after all.
  if (time.asked !== NEXT_SLOT || 'scheduledAt' in custom) return composition;
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

/** The fields of a post beside its time. */
interface Parts {
  readonly variants: readonly Variant[];
  readonly item: Item;
  readonly now: number;
  readonly workspaceId: number;
  readonly status: string;
  readonly ifTaken: Slot['ifTaken'];
  readonly custom: IDataObject;
}

function composedAt(time: DueTime, parts: Parts): Composition {
  const { item, now, workspaceId, status, ifTaken, custom, variants } = parts;
  const bodyWith = (sent: readonly IDataObject[]): IDataObject => ({
    ...withoutEmpty({ workspaceId, status, scheduledAt: time.utc, variants: [...sent] }),
    ...custom,
  });
  const hasFiles = variants.some(({ files }) => files.length > 0);
  const body = bodyWith(variants.map((variant) => variant.body));
  const due = dueOf(body);
  return {
    body,
    identity: identityOf(body, variants, custom, time),
    ...(time.refusal !== undefined && { refusal: time.refusal }),
    ...(hasFiles && {
      complete: async () =>
        bodyWith(await withFiles(item, variants, due ?? Date.parse(time.utc ?? ''))),
    }),
    published: 'variants' in custom ? customPublished(custom.variants) : variants.map(published),
    due,
    zone: time.zone,
    ...slotOf(body, ifTaken),
    warnings: warningsOf(item, body, { time, now, hasFiles }),
    fieldFor: (bodyPath) => fieldFor(item, variants, bodyPath),
  };
}

/** What is said above the output once the post is created: when it is due. */
export const dueNote = ({ body, due, zone }: Composition): Pick<Note, 'due'> =>
  isScheduled(body) && due !== undefined ? { due: { at: due, zone } } : {};

/** What a user asks for who leaves the time to the posts that there are. */
const NEXT_SLOT = 'slot';

/** When to publish. */
interface DueTime extends Omit<Time, 'utc'> {
  /** `undefined` while the slot is still to be found. */
  readonly utc: string | undefined;
  /** What the user asked for: the same on each try. */
  readonly asked: unknown;
  /** Why it can't be published at that time. */
  readonly refusal?: FieldError;
}

function timeOf(item: Item, now: number): DueTime {
  const publish = item.text('publish') ?? 'at';
  if (publish === 'now' || publish === NEXT_SLOT) {
    const utc = publish === 'now' ? new Date(now).toISOString() : undefined;
    return { utc, comesTwice: false, dateOnly: false, zone: item.timeZone(), asked: publish };
  }
  if (publish === 'after') {
    const unit = item.value('delayUnit');
    if (!isDelayUnit(unit)) {
      return item.refuse('delayUnit', `is ${quote(unit)}`, 'Select minutes, hours or days.');
    }
    const amount = item.value('delayAmount');
    const reading = timeAfter(amount, unit, now);
    return 'problem' in reading
      ? item.refuse('delayAmount', reading.problem, reading.hint, reading.code)
      : { ...reading, zone: item.timeZone(), asked: [Number(amount), unit] };
  }
  if (publish !== 'at') {
    return item.refuse('publish', `is ${quote(publish)}`, 'Use "at", "after", "now" or "slot".');
  }
  const time =
    item.time('scheduledAt') ??
    item.refuse('scheduledAt', 'is empty', 'Enter when to publish, such as 2026-11-21 10:00:00.');
  const asked = Date.parse(time.utc);
  const ifPast = item.text('options.ifPast') ?? 'fail';
  if (asked >= now - TOLERATED_MS || ifPast === 'publish') return { ...time, asked };
  const refusal = new FieldError(
    'scheduledAt',
    item.label('scheduledAt'),
    `is ${item.timeInWords(time, now)}: this time has passed`,
    item.timeHint(
      'Enter a later time, or add the option If the Time Has Passed to publish at once.',
    ),
    'timePassed',
  );
  return { ...time, asked, refusal };
}

const withoutQuery = (url: unknown): string => String(url).replace(/[?#].*$/s, '');

/** What a post is recognized by: signatures in the addresses of its media change from try to try. */
function identityOf(
  body: IDataObject,
  variants: readonly Variant[],
  custom: IDataObject,
  { asked }: DueTime,
): Identity {
  const said = variants
    .map(({ body: { socialAccountId, content, mediaUrls, ...others }, files }) => ({
      text: [socialAccountId, content],
      media: [
        ...(Array.isArray(mediaUrls) ? mediaUrls.map(withoutQuery) : []),
        ...files.map(({ file: { data } }) => [data.fileName, data.bytes ?? data.fileSize]),
      ],
      others,
    }))
    .sort((a, b) => Number(a.text[0]) - Number(b.text[0]));
  const isMoment = typeof asked === 'number' || asked === NEXT_SLOT || 'scheduledAt' in custom;
  return {
    text: said.map(({ text }) => text),
    content: said,
    full: [said, asked, body.status, custom],
    moment: isMoment ? dueOf(body) : undefined,
  };
}

/** A file and the field that names it. */
interface FileOfField {
  readonly file: MediaFile;
  readonly path: string;
}

/** One variant, with the files that are still to become URLs. */
interface Variant {
  readonly body: IDataObject;
  readonly files: readonly FileOfField[];
  /** The path of the fields that each part of the variant comes from. */
  readonly from: { readonly account: string; readonly content: string; readonly mediaUrls: string };
}

async function variantsOf(item: Item): Promise<readonly Variant[]> {
  return item.isAdded(VARIANTS_JSON) ? variantsFromJson(item) : await variantsFromFields(item);
}

/** What is published unless an account has something of its own. */
interface Content {
  readonly text: string | undefined;
  readonly urls: string[];
  readonly files: readonly FileOfField[];
}

async function contentAt(item: Item, prefix: string): Promise<Content> {
  const path = `${prefix}mediaFields`;
  return {
    text: item.text(`${prefix}content`),
    urls: item.mediaUrls(`${prefix}mediaUrls`),
    files: (await item.files(path)).map((file) => ({ file, path })),
  };
}

async function variantsFromFields(item: Item): Promise<readonly Variant[]> {
  const accounts = await item.accounts('accounts');
  if (accounts.length === 0) {
    item.refuse('accounts', 'is empty', 'Select at least one account that publishes the post.');
  }
  const common = await contentAt(item, '');
  const overrides = await overridesOf(item, accounts);
  const variants: Variant[] = [];
  for (const [index, account] of accounts.entries()) {
    const own = overrides.get(account);
    const ownText = own?.text !== undefined;
    const ownMedia = own !== undefined && (own.urls.length > 0 || own.files.length > 0);
    const text = own?.text ?? common.text;
    const { urls, files } = ownMedia ? own : common;
    if (text === undefined && urls.length === 0 && files.length === 0) {
      item.refuse(
        own?.from.content ?? 'content',
        'is empty, and there is no media',
        'Enter a text, or the URL of at least one image or video.',
      );
    }
    variants.push({
      body: withoutEmpty({
        socialAccountId: account,
        content: text,
        mediaUrls: urls.length === 0 ? undefined : urls,
      }),
      files,
      from: {
        account: `accounts[${index}]`,
        content: ownText ? own.from.content : 'content',
        mediaUrls: ownMedia ? own.from.mediaUrls : 'mediaUrls',
      },
    });
  }
  return variants;
}

/** What one account has of its own, and the paths of the fields that it comes from. */
interface Override extends Content {
  readonly from: Pick<Variant['from'], 'content' | 'mediaUrls'>;
}

/** What each account has of its own that has something. */
async function overridesOf(
  item: Item,
  accounts: readonly number[],
): Promise<ReadonlyMap<number, Override>> {
  const overrides = new Map<number, Override>();
  const add = (field: string, account: number, override: Override): void => {
    if (!accounts.includes(account)) {
      item.refuse(
        field,
        `is ${account}, which is not selected in Accounts`,
        'Select the account there, too, or remove this entry.',
      );
    }
    if (overrides.has(account)) {
      item.refuse(field, `is ${account}, which has an entry already`, 'Remove one of the two.');
    }
    overrides.set(account, override);
  };
  for (const path of item.entries('overrides.override')) {
    const field = `${path}.socialAccountId`;
    const account =
      (await item.accountId(field)) ??
      item.refuse(field, 'is empty', 'Select one of the accounts that you selected in Accounts.');
    const from = { content: `${path}.content`, mediaUrls: `${path}.mediaUrls` };
    add(field, account, { ...(await contentAt(item, `${path}.`)), from });
  }
  for (const [name, text] of Object.entries(item.jsonObject(OWN_TEXTS))) {
    const account = await item.accountId(OWN_TEXTS, name);
    if (account === undefined) continue;
    const from = { content: OWN_TEXTS, mediaUrls: OWN_TEXTS };
    add(OWN_TEXTS, account, { text: item.text(OWN_TEXTS, text), urls: [], files: [], from });
  }
  return overrides;
}

function variantsFromJson(item: Item): Variant[] {
  const given = item.json(VARIANTS_JSON);
  const list: unknown[] = Array.isArray(given) ? given : isEmpty(given) ? [] : [given];
  if (list.length === 0) {
    item.refuse(
      VARIANTS_JSON,
      'has no variant',
      'Add at least one, with a social account and text or media.',
    );
  }
  return list.map((variant, index) => variantFromJson(item, `${VARIANTS_JSON}[${index}]`, variant));
}

function variantFromJson(item: Item, path: string, given: unknown): Variant {
  if (!isObject(given)) {
    return item.refuse(
      path,
      `is ${quote(given)} instead of an object`,
      'Enter each variant as { "socialAccountId": 1, "content": "Hello" }.',
    );
  }
  const { socialAccountId, content, mediaUrls, ...others } = given;
  const account =
    item.id(`${path}.socialAccountId`, socialAccountId) ??
    item.refuse(`${path}.socialAccountId`, 'is empty', 'Enter the ID of the account.');
  const text = item.text(`${path}.content`, content);
  const urls = item.mediaUrls(`${path}.mediaUrls`, mediaUrls);
  if (text === undefined && urls.length === 0) {
    item.refuse(
      `${path}.content`,
      'is empty, and so is mediaUrls',
      'Enter a text, or the URL of at least one image or video.',
    );
  }
  return {
    body: withoutEmpty({
      socialAccountId: account,
      content: text,
      mediaUrls: urls.length === 0 ? undefined : urls,
      ...others,
    }),
    files: [],
    from: {
      account: `${path}.socialAccountId`,
      content: `${path}.content`,
      mediaUrls: `${path}.mediaUrls`,
    },
  };
}

/** The variants with a signed URL for each file, made once for all variants that share it. */
async function withFiles(
  item: Item,
  variants: readonly Variant[],
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

function ifTakenOf(item: Item): Slot['ifTaken'] {
  const ifTaken = item.text('options.ifScheduled') ?? 'create';
  return ifTaken === 'create' || ifTaken === 'skip' || ifTaken === 'fail'
    ? ifTaken
    : item.refuse('options.ifScheduled', `is ${quote(ifTaken)}`, 'Use "create", "skip" or "fail".');
}

/** When the post is due as it is sent: Custom Body Fields may override the time. */
function dueOf({ scheduledAt }: IDataObject): number | undefined {
  const due = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : NaN;
  return Number.isNaN(due) ? undefined : due;
}

/** The slot that the post takes as it is sent; none when its time or its workspace is none. */
function slotOf(body: IDataObject, ifTaken: Slot['ifTaken']): { readonly slot?: Slot } {
  const { scheduledAt } = body;
  const workspaceId = idNumber(body.workspaceId);
  return typeof scheduledAt !== 'string' || dueOf(body) === undefined || workspaceId === undefined
    ? {}
    : { slot: { workspaceId, scheduledAt, ifTaken } };
}

const isScheduled = ({ status }: IDataObject): boolean => status === 'scheduled';

/** What is known of a post beside its body. */
interface Known {
  readonly time: DueTime;
  readonly now: number;
  readonly hasFiles: boolean;
}

function warningsOf(item: Item, body: IDataObject, { time, now, hasFiles }: Known): string[] {
  const due = dueOf(body);
  const isTimeOfField = body.scheduledAt === time.utc;
  return [
    ...(isScheduled(body) && due !== undefined && due < now - TOLERATED_MS
      ? ['The time has passed, so the service publishes at once']
      : []),
    ...(time.dateOnly && isTimeOfField
      ? ['The date has no time of day, so midnight was sent. Add a time, such as 09:00:00']
      : []),
    ...(time.comesTwice && isTimeOfField
      ? [
          `Clocks in ${time.zone} show this time twice that day. The first of the two was sent. For the second, add its offset after the time`,
        ]
      : []),
    ...(hasFiles ? item.fileWarnings(due ?? NaN) : []),
  ];
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

const publishedBy = (variant: IDataObject): Pick<Published, 'account' | 'text' | 'media'> => ({
  account: idNumber(variant.socialAccountId),
  text: typeof variant.content === 'string' ? variant.content : '',
  media: textsIn(variant.mediaUrls).map((address) => ({ address })),
});

function published({ body, files, from }: Variant): Published {
  const { account, text, media } = publishedBy(body);
  return {
    account,
    text,
    media: [...media, ...files.map(({ file: { data } }) => ({ type: data.mimeType }))],
    files: files.map(({ file: { data } }) => data.fileName ?? 'file'),
    from,
  };
}

/** What Custom Body Fields give in place of the variants. */
const customPublished = (variants: unknown): Published[] =>
  (Array.isArray(variants) ? variants.filter(isObject) : []).map((variant) => ({
    ...publishedBy(variant),
    files: [],
    from: { content: CUSTOM_BODY, mediaUrls: CUSTOM_BODY },
  }));

/** The field that the time comes from, by what Publish says. */
const TIME_FIELDS: Readonly<Record<string, string>> = {
  at: 'scheduledAt',
  after: 'delayAmount',
  [NEXT_SLOT]: 'slots',
};

const BODY_PATH = /^variants\[(\d+)\](?:\.(socialAccountId|content|mediaUrls)\b)?/;

function fieldFor(item: Item, variants: readonly Variant[], bodyPath: string): string | undefined {
  const [, index, part] = BODY_PATH.exec(bodyPath) ?? [];
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
