import { IANAZone } from 'luxon';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isObject, parseJson } from '../../../shared/json';
import type { ServiceCredential } from '../../transport/http/credential';
import { CUSTOM } from '../fields';
import { FieldError } from './fieldError';
import { labelOf } from './labels';
import { utcTime } from './times';
import { idNumber, isEmpty, quote, textList, wholeNumber } from './values';

/**
 * The fields of one input item, read as the specification's types. What cannot be sent is refused
 * with the name of the field as the user sees it.
 *
 * A path is the name of a parameter, with dots into collections: `options.offset`,
 * `variants.variant[0].content`. Each reader also takes a value that was found by other means.
 */
export class Item {
  constructor(
    private readonly context: IExecuteFunctions,
    private readonly index: number,
    private readonly fields: readonly INodeProperties[],
    private readonly credential: ServiceCredential,
  ) {}

  /** The value of a parameter as n8n resolves it; `undefined` when it is not set. */
  value(path: string): unknown {
    return this.context.getNodeParameter(path, this.index, null) ?? undefined;
  }

  /** @throws FieldError always */
  refuse(path: string, problem: string, hint: string): never {
    throw new FieldError(labelOf(path, this.fields), problem, hint);
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

  /** @returns whether a switch is on; off when it is not set */
  switch(path: string): boolean {
    const value = this.value(path) ?? false;
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

  /** @returns the time in UTC as the service takes it, or `undefined` when it is empty */
  time(path: string): string | undefined {
    const value = this.value(path);
    if (isEmpty(value)) return undefined;
    const zone = this.context.getTimezone();
    if (!IANAZone.isValidZone(zone)) {
      this.refuse(
        path,
        `cannot be read, because the time zone of the workflow is ${quote(zone)}`,
        'Select a time zone in the settings of the workflow.',
      );
    }
    return (
      utcTime(value, zone) ??
      this.refuse(
        path,
        `is ${quote(value)}, which cannot be read as a date and time`,
        'Enter an ISO 8601 date such as 2026-11-21T10:00 (in the time zone of the workflow) or 2026-11-21T10:00:00+01:00.',
      )
    );
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

  /** The workspace: the item's, else the credential's (docs/service.md, "Workspace"). */
  workspaceId(): number {
    const path = 'workspaceId';
    const own = this.positiveInteger(path);
    if (own !== undefined) return own;
    const { workspaceId } = this.credential;
    if (workspaceId === '') {
      return this.refuse(
        path,
        'is empty, and the credential has no default',
        'Enter the number of the workspace here or in the credential.',
      );
    }
    const fromCredential = idNumber(workspaceId);
    if (fromCredential !== undefined) return fromCredential;
    throw new FieldError(
      'Default Workspace ID (in the credential)',
      `is ${quote(workspaceId)}, which is not a workspace number`,
      'Correct it in the credential, or enter Workspace ID in the node.',
    );
  }
}
