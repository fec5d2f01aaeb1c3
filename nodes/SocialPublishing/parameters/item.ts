import { DateTime, type Zone } from 'luxon';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parseJson } from '../../shared/json';
import type { ServiceCredential } from '../service/http/credential';
import type { ScheduledPosts } from '../service/scheduledPosts';
import { readAccountList } from './accounts';
import { CUSTOM, readOneOf, readSwitch } from './choice';
import { DATE_ORDERS } from './dates';
import { expressionProblem } from './expression';
import { FieldError } from './fieldError';
import { fileWarnings, findFile, type MediaFile, signFile } from './files';
import { readJson, readJsonObject } from './json';
import { labelOf } from './labels';
import { readMediaUrls } from './media';
import { located, readInteger, readPositiveInteger } from './number';
import type { Parameters } from './parameters';
import { readPeriod } from './period';
import { isRefusal, type Reading } from './reading';
import { readText, readTexts } from './text';
import { timeInWords } from './times';
import { COMMAS, idNumber, isEmpty } from './values';
import { readZone } from './zones';

/** A time that was read from fields. */
export interface Time {
  /** As the service takes it. */
  readonly utc: string;
  /** Whether clocks show it twice, and this is the first of the two. */
  readonly comesTwice: boolean;
  /** Whether it was a date without a time of day, so that it is midnight. */
  readonly dateOnly: boolean;
  /** The name of the zone that the user chose it in. */
  readonly zone: string;
}

/** Reads the accounts of a workspace, once for all items. */
export type ReadAccounts = (
  workspaceId: number,
  credential: ServiceCredential,
) => Promise<readonly IDataObject[]>;

/** Reads the posts of a workspace, once for all items. */
export type ReadPosts = (
  workspaceId: number,
  credential: ServiceCredential,
) => Promise<ScheduledPosts>;

/** What the items of a run share. */
export interface ItemsOfRun {
  readonly context: IExecuteFunctions;
  readonly parameters: Parameters;
  /** The fields of the operation. */
  readonly fields: readonly INodeProperties[];
  readonly readAccounts: ReadAccounts;
  readonly readPosts: ReadPosts;
}

/**
 * The fields of one input item. It knows the run and the item; what a value means, or why it is
 * refused, the readers of this folder say. A refusal carries the name of the field as the user sees it.
 *
 * A path is the name of a parameter, with dots into collections: `options.offset`,
 * `overrides.override[0].content`. Most readers also take a value that was found by other means.
 */
export class Item {
  private known: readonly IDataObject[] | undefined;

  constructor(
    private readonly run: ItemsOfRun,
    readonly index: number,
    private readonly credential: ServiceCredential,
  ) {}

  /** The field at a path as the user sees it. */
  label(path: string): string {
    return labelOf(path, this.run.fields);
  }

  /**
   * The value of a parameter as n8n resolves it; `undefined` when it is not set.
   *
   * @throws FieldError for an expression that fails
   */
  value(path: string): unknown {
    try {
      return this.run.parameters.value(path, this.index);
    } catch (error) {
      return this.accept(path, expressionProblem(error));
    }
  }

  /** Whether the user has added an option or a field of a collection, whatever its value. */
  isAdded(path: string): boolean {
    return this.run.parameters.entered(path) !== undefined;
  }

  /** The paths of the entries that the user has added to a list. */
  entries(path: string): string[] {
    const list = this.run.parameters.entered(path);
    return Array.isArray(list) ? list.map((_, index) => `${path}[${index}]`) : [];
  }

  /** Whether the node works for an AI agent: a model fills in its fields and reads its errors. */
  get isTool(): boolean {
    return this.run.context.getNode().type.endsWith('Tool');
  }

  /** @throws FieldError always */
  refuse(path: string, problem: string, hint: string, code?: string): never {
    throw new FieldError(path, this.label(path), problem, hint, code);
  }

  /** @throws FieldError for a refusal */
  private accept<T>(path: string, reading: Reading<T>): T {
    if (!isRefusal(reading)) return reading.value;
    const { problem, hint, code } = reading;
    return this.refuse(path, problem, hint, code);
  }

  /** @returns the text, or `undefined` when it is empty */
  text(path: string, value = this.value(path)): string | undefined {
    return this.accept(path, readText(value));
  }

  /** @returns the text without blanks around it */
  requiredText(path: string, hint: string): string {
    return this.text(path)?.trim() ?? this.refuse(path, 'is empty', hint);
  }

  /** @returns the entries of a list, or `undefined` when there are none */
  list(path: string, separator: RegExp, value = this.value(path)): string[] | undefined {
    return this.accept(path, readTexts(value, separator));
  }

  /**
   * @returns the chosen value, or for the choice "Custom" what the user wrote in the field at
   * `customPath`; `undefined` when nothing is chosen
   */
  choice(path: string, customPath: string): string | undefined {
    const chosen = this.text(path);
    return chosen === CUSTOM
      ? this.requiredText(customPath, 'Enter the value as the service writes it.')
      : chosen;
  }

  /** @returns the chosen one of the values, or `undefined` when nothing is chosen */
  oneOf<T extends string>(path: string, values: readonly T[]): T | undefined {
    const chosen = this.text(path);
    return chosen === undefined ? undefined : this.accept(path, readOneOf(chosen, values));
  }

  /** @returns whether a switch is on; `unset` when it is not set */
  switch(path: string, unset = false): boolean {
    return this.accept(path, readSwitch(this.value(path) ?? unset));
  }

  /** @returns whether a switch is on; an empty value is refused, as it would turn something off unasked */
  requiredSwitch(path: string, hint: string): boolean {
    const value = this.value(path);
    return isEmpty(value)
      ? this.refuse(path, 'is empty', hint)
      : this.accept(path, readSwitch(value));
  }

  /** @returns the period in a text, as the service takes it */
  period(path: string, text: string): string {
    return this.accept(path, readPeriod(text));
  }

  /** @returns the whole number, or `undefined` when it is empty */
  integer(path: string, value = this.value(path)): number | undefined {
    return this.accept(path, readInteger(value));
  }

  /** @returns the whole number above 0, or `undefined` when it is empty */
  positiveInteger(path: string, value = this.value(path)): number | undefined {
    return this.accept(path, readPositiveInteger(value));
  }

  /** @returns the ID in a resource locator, or `undefined` when none is chosen */
  id(path: string, value = this.value(path)): number | undefined {
    return this.positiveInteger(path, located(value));
  }

  /**
   * @returns how many records Return All and Limit ask for; `Infinity` for all
   */
  recordLimit(): number {
    return this.switch('returnAll')
      ? Infinity
      : (this.positiveInteger('limit') ??
          this.refuse('limit', 'is empty', 'Enter a number, or turn on Return All.'));
  }

  /** @returns what the JSON in a field means, or `undefined` when it is empty */
  json(path: string): unknown {
    return this.accept(path, readJson(this.value(path)));
  }

  /** @returns the object that the JSON in a field means; an empty one when the field is empty */
  jsonObject(path: string): IDataObject {
    return this.accept(path, readJsonObject(this.value(path)));
  }

  /** The time zone that the user chose, else the workflow's. */
  zone(): Zone {
    const reading = readZone(this.value('timeZone'), this.run.context.getTimezone());
    return this.accept('timeZone', reading);
  }

  /** The name of that time zone. */
  timeZone(): string {
    return this.zone().name;
  }

  /** @returns the time in the zone that the user chose, or `undefined` when it is empty */
  time(path: string): Time | undefined {
    const value = this.value(path);
    if (isEmpty(value)) return undefined;
    const zone = this.zone();
    const order = this.oneOf('options.dateOrder', DATE_ORDERS) ?? 'ask';
    const source = this.run.parameters.expression(path);
    const time = this.run.parameters.time(value, { zone, order, source });
    return isRefusal(time)
      ? this.refuse(path, time.problem, this.timeHint(time.hint), time.code)
      : { ...time, zone: zone.name };
  }

  /**
   * What to do about a time that is refused. A model can neither add an option nor paste an expression:
   * it is told what time it is instead.
   *
   * @param forPeople what people are told
   */
  timeHint(forPeople: string): string {
    if (!this.isTool) return forPeople;
    const now = DateTime.now().setZone(this.timeZone());
    const example = now.plus({ days: 1 }).toFormat("yyyy-MM-dd'T'09:00");
    return `Give a time to come as ISO 8601, such as ${example}. It is now ${now.toFormat("yyyy-MM-dd'T'HH:mm")} in ${now.zoneName}.`;
  }

  /** A time as people read it: `21 Nov 2026, 20:40 (Europe/Berlin), in 10 minutes`. */
  timeInWords({ utc, zone }: Pick<Time, 'utc' | 'zone'>, now: number): string {
    return timeInWords(Date.parse(utc), zone, now);
  }

  /**
   * Reads the accounts that a field lists: IDs, or what people call accounts. The accounts of
   * the workspace are read only when an entry is not an ID.
   */
  async accounts(path: string): Promise<readonly number[]> {
    const value = this.value(path);
    const parsed =
      typeof value === 'string' && value.trim().startsWith('[') ? parseJson(value) : undefined;
    const list = Array.isArray(parsed) ? parsed : value;
    const entries = (Array.isArray(list) ? (list as unknown[]) : [list]).filter(
      (entry) => !isEmpty(entry),
    );
    const found = await readAccountList(entries, () => this.accountsOfWorkspace());
    return 'problem' in found
      ? this.refuse(`${path}[${found.index}]`, found.problem, found.hint, found.code)
      : found;
  }

  /** @returns the ID of the account that a field names, or `undefined` when it is empty */
  async accountId(path: string, value = this.value(path)): Promise<number | undefined> {
    const given = located(value);
    if (isEmpty(given)) return undefined;
    const found = await readAccountList([given], () => this.accountsOfWorkspace());
    if ('problem' in found) return this.refuse(path, found.problem, found.hint, found.code);
    const [id, ...others] = found;
    return others.length === 0
      ? id
      : this.refuse(path, `names ${found.length} accounts`, 'Name one account.');
  }

  /** The accounts of the workspace, read once for all items. */
  async accountsOfWorkspace(): Promise<readonly IDataObject[]> {
    this.known = await this.run.readAccounts(this.workspaceId(), this.credential);
    return this.known;
  }

  /** The accounts of the workspace, if this item has asked for them already. */
  knownAccounts(): readonly IDataObject[] | undefined {
    return this.known;
  }

  /** The posts of a workspace by their times, read once for all items. */
  async posts(workspaceId: number): Promise<ScheduledPosts> {
    return await this.run.readPosts(workspaceId, this.credential);
  }

  /** @returns the absolute URLs that a field lists, as a strict reader takes them */
  mediaUrls(path: string, value = this.value(path)): string[] {
    return this.accept(path, readMediaUrls(value));
  }

  /** @returns the files in the binary fields that a field lists, each once */
  async files(path: string): Promise<readonly MediaFile[]> {
    const files = new Map<string, MediaFile>();
    for (const field of this.list(path, COMMAS) ?? []) {
      const { context } = this.run;
      const found = await findFile(context, this.index, field, this.credential.baseUrl);
      const file = this.accept(path, found);
      files.set(file.key, file);
    }
    return [...files.values()];
  }

  /**
   * @param path the field that lists the file
   * @param due when the post is due, in Unix milliseconds
   * @returns a URL that serves a copy of the file
   */
  async signFile(path: string, file: MediaFile, due: number): Promise<string> {
    return this.accept(path, await signFile(this.run.context, file, due));
  }

  /**
   * What may delete the files before the service fetches them.
   *
   * @param due when the post is due, in Unix milliseconds
   */
  fileWarnings(due: number): string[] {
    return fileWarnings(this.run.context, due);
  }

  /** Where the workspace of the request comes from, as the user sees it. */
  workspaceField(): string {
    const path = 'options.workspaceId';
    return isEmpty(this.value(path)) ? 'Workspace ID (in the credential)' : this.label(path);
  }

  /** The workspace of the request: the item's, else the credential's (docs/service.md, `workspaceId`). */
  workspaceId(): number {
    const path = 'options.workspaceId';
    const own = this.positiveInteger(path);
    if (own !== undefined) return own;
    const { workspaceId } = this.credential;
    if (workspaceId === '') {
      return this.refuse(
        path,
        'is empty, and so is the one in the credential',
        'Enter the number of the workspace in the credential.',
      );
    }
    const fromCredential = idNumber(workspaceId);
    if (fromCredential !== undefined) return fromCredential;
    throw new FieldError(
      'credential.workspaceId',
      'Workspace ID (in the credential)',
      'is not a workspace number',
      'Correct it in the credential.',
    );
  }
}
