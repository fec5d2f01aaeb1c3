import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isObject, parseJson } from '../../shared/json';
import { CUSTOM } from '../operations/fields';
import type { ServiceCredential } from '../service/http/credential';
import type { ScheduledPosts } from '../service/scheduledPosts';
import { findAccount, namedAccount } from './accounts';
import { FieldError } from './fieldError';
import { findFile, type MediaFile, signFile } from './files';
import { labelOf } from './labels';
import { BETWEEN_URLS, mediaUrl } from './media';
import { type Parameters } from './parameters';
import { timeInWords, zoneOf, zoneProblem } from './times';
import { COMMAS, idNumber, isEmpty, quote, textList, wholeNumber } from './values';

/** A time that was read from fields. */
export interface Time {
  /** As the service takes it. */
  readonly utc: string;
  /** Whether clocks show it twice, and this is the first of the two. */
  readonly comesTwice: boolean;
  /** The zone that the user chose it in. */
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

/** Executions are deleted after so many days unless the administrator of n8n says otherwise. */
const KEPT_DAYS = 14;

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
 * The fields of one input item, read as the specification's types. What cannot be sent is refused
 * with the name of the field as the user sees it.
 *
 * A path is the name of a parameter, with dots into collections: `options.offset`,
 * `overrides.override[0].content`. Each reader also takes a value that was found by other means.
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

  /** The value of a parameter as n8n resolves it; `undefined` when it is not set. */
  value(path: string): unknown {
    return this.run.parameters.value(path, this.index);
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

  /** @throws FieldError always */
  refuse(path: string, problem: string, hint: string): never {
    throw new FieldError(this.label(path), problem, hint);
  }

  /** @returns the text, or `undefined` when it is empty */
  text(path: string, value = this.value(path)): string | undefined {
    if (isEmpty(value)) return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.refuse(
      path,
      'is not text',
      'Enter text. An expression that ends in .toString() gives text, for example.',
    );
  }

  /** @returns the text without blanks around it */
  requiredText(path: string, hint: string): string {
    return this.text(path)?.trim() ?? this.refuse(path, 'is empty', hint);
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
    if (chosen === undefined) return undefined;
    return (
      values.find((value) => value === chosen) ??
      this.refuse(path, `is ${quote(chosen)}`, `Enter one of ${values.join(', ')}.`)
    );
  }

  /** @returns the whole number, or `undefined` when it is empty */
  integer(path: string, value = this.value(path)): number | undefined {
    if (isEmpty(value)) return undefined;
    return (
      wholeNumber(value) ??
      this.refuse(
        path,
        `is ${quote(value)}, which is not a whole number`,
        'Enter a number such as 12.',
      )
    );
  }

  /** @returns the whole number above 0, or `undefined` when it is empty */
  positiveInteger(path: string, value = this.value(path)): number | undefined {
    const number = this.integer(path, value);
    if (number === undefined) return undefined;
    return (
      idNumber(number) ??
      this.refuse(path, `is ${number}, which is too small`, 'Enter a number of at least 1.')
    );
  }

  /** @returns whether a switch is on; `unset` when it is not set */
  switch(path: string, unset = false): boolean {
    return this.isOn(path, this.value(path) ?? unset);
  }

  /** @returns whether a switch is on, when being off must not happen unasked */
  requiredSwitch(path: string, hint: string): boolean {
    const value = this.value(path);
    return this.isOn(path, isEmpty(value) ? this.refuse(path, 'is empty', hint) : value);
  }

  private isOn(path: string, value: unknown): boolean {
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    return this.refuse(
      path,
      `is ${quote(value)}, which is neither true nor false`,
      'Enter true or false.',
    );
  }

  /** @returns the ID in a resource locator, or `undefined` when none is chosen */
  id(path: string, value = this.value(path)): number | undefined {
    // An expression that gives nothing leaves the locator without a value.
    const id = isObject(value) && '__rl' in value ? (value.value ?? '') : value;
    return this.positiveInteger(path, id);
  }

  /** The time zone that the user chose, else that of the workflow. */
  timeZone(): string {
    const own = this.value('timeZone');
    return typeof own === 'string' && own.trim() !== ''
      ? own.trim()
      : this.run.context.getTimezone();
  }

  /** @returns the time, or `undefined` when it is empty */
  time(path: string, zonePath: string): Time | undefined {
    const value = this.value(path);
    if (isEmpty(value)) return undefined;
    const zone = this.timeZone();
    const known = zoneOf(zone);
    if (known === undefined) {
      const { problem, hint } = zoneProblem(zone);
      return this.refuse(zonePath, problem, hint);
    }
    const reading = this.run.parameters.time(value, known);
    return 'problem' in reading
      ? this.refuse(path, reading.problem, reading.hint)
      : { ...reading, zone };
  }

  /** A time as people read it: `21 Nov 2026, 20:40 (Europe/Berlin), in 10 minutes`. */
  timeInWords({ utc, zone }: Time, now: number): string {
    return timeInWords(Date.parse(utc), zone, now);
  }

  /** The accounts of the workspace, read once for all items. */
  async accounts(): Promise<readonly IDataObject[]> {
    this.known = await this.run.readAccounts(this.workspaceId(), this.credential);
    return this.known;
  }

  /** The posts of a workspace by their times, read once for all items. */
  async posts(workspaceId: number): Promise<ScheduledPosts> {
    return await this.run.readPosts(workspaceId, this.credential);
  }

  /** The accounts of the workspace, if this item has asked for them already. */
  knownAccounts(): readonly IDataObject[] | undefined {
    return this.known;
  }

  /** @returns the ID of the account that a field names, or `undefined` when it is empty */
  async accountId(path: string, value = this.value(path)): Promise<number | undefined> {
    const given = isObject(value) && '__rl' in value ? value.value : value;
    if (isEmpty(given)) return undefined;
    const named = namedAccount(given);
    if (named === undefined) return this.positiveInteger(path, given);
    if ('id' in named) return named.id;
    const found = findAccount(named.name, await this.accounts());
    return 'id' in found ? found.id : this.refuse(path, found.problem, found.hint);
  }

  /** @returns the IDs of the accounts that a field lists, each once */
  async accountIds(path: string, separator: RegExp): Promise<number[]> {
    const value = this.value(path);
    const parsed =
      typeof value === 'string' && value.trim().startsWith('[') ? parseJson(value) : value;
    const list: unknown[] = Array.isArray(parsed)
      ? parsed
      : typeof value === 'string'
        ? value.split(separator)
        : [value];
    const entries = list.filter((entry) => !isEmpty(entry));
    const ids: number[] = [];
    for (const [index, entry] of entries.entries()) {
      const id = await this.accountId(`${path}[${index}]`, entry);
      if (id !== undefined && !ids.includes(id)) ids.push(id);
    }
    return ids;
  }

  /** @returns the absolute URLs that a field lists, as a strict reader takes them */
  mediaUrls(path: string, value = this.value(path)): string[] {
    return (this.list(path, BETWEEN_URLS, value) ?? []).map(
      (entry) =>
        mediaUrl(entry) ??
        this.refuse(
          path,
          `contains ${quote(entry)}, which is not an absolute URL`,
          'Enter the full address, beginning with https:// or http://. Write a space in it as %20.',
        ),
    );
  }

  /** @returns the files in the binary fields that a field lists; nothing is copied */
  files(path: string): readonly MediaFile[] {
    return (this.list(path, COMMAS) ?? []).map((field) => {
      const found = findFile(this.run.context, this.index, field, this.credential.baseUrl);
      return 'problem' in found ? this.refuse(path, found.problem, found.hint) : found;
    });
  }

  /**
   * @param due when the post is due, in Unix milliseconds
   * @returns a URL that serves a copy of the file
   */
  async signFile(file: MediaFile, due: number): Promise<string> {
    return await signFile(this.run.context, file, due);
  }

  /**
   * What may delete the files before the service fetches them.
   *
   * @param due when the post is due, in Unix milliseconds
   */
  fileWarnings(due: number): string[] {
    const { saveDataSuccessExecution } = this.run.context.getWorkflowSettings();
    const days = (due - Date.now()) / (24 * 60 * 60 * 1000);
    return [
      ...(saveDataSuccessExecution === 'none'
        ? [
            'This workflow does not save successful production executions, so n8n deletes the files of the post soon after the run. Turn on Save successful production executions in the settings of the workflow',
          ]
        : []),
      ...(days > KEPT_DAYS
        ? [
            `The post is due in ${Math.round(days)} days, and n8n deletes executions with their files after ${KEPT_DAYS} days unless it is configured otherwise (EXECUTIONS_DATA_MAX_AGE)`,
          ]
        : []),
    ];
  }

  /** @returns the entries of a list, or `undefined` when there are none */
  list(path: string, separator: RegExp, value = this.value(path)): string[] | undefined {
    const entries =
      textList(value, separator) ??
      this.refuse(
        path,
        'is not a list of texts',
        'Enter one text per line, or give an array of texts.',
      );
    return entries.length === 0 ? undefined : entries;
  }

  /** @returns what the JSON in a field means, or `undefined` when it is empty */
  json(path: string): unknown {
    const value = this.value(path);
    if (typeof value !== 'string') return value;
    if (isEmpty(value)) return undefined;
    const parsed = parseJson(value);
    return parsed === undefined
      ? this.refuse(
          path,
          'is not valid JSON',
          'Check quotes, commas and brackets. An expression may give an object directly.',
        )
      : parsed;
  }

  /** @returns the object that the JSON in a field means; an empty one when the field is empty */
  jsonObject(path: string): IDataObject {
    const value = this.json(path);
    if (value === undefined) return {};
    return isObject(value)
      ? value
      : this.refuse(path, 'is not a JSON object', 'Enter an object such as { "name": "value" }.');
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
      'Workspace ID (in the credential)',
      'is not a workspace number',
      'Correct it in the credential.',
    );
  }
}
