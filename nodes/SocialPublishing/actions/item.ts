import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { IANAZone } from 'luxon';

import type { ServiceCredential } from '../transport/credential';
import { isObject, parseJson } from '../../shared/json';
import { FieldError } from './fieldError';
import { CUSTOM } from './fields';
import { labelOf } from './labels';
import { utcTime } from './times';
import { isEmpty, quote, textList, wholeNumber } from './values';

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
      'is not a text',
      'Give a text, for example with an expression that ends in .toString().',
    );
  }

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
      ? this.requiredText(customPath, 'Enter it as the service writes it.')
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
        'Give a number such as 12.',
      )
    );
  }

  /** @returns the whole number above 0, or `undefined` when it is empty */
  positiveInteger(path: string, value = this.value(path)): number | undefined {
    const number = this.integer(path, value);
    return number === 0
      ? this.refuse(path, 'is 0, which is too small', 'Give a number of at least 1.')
      : number;
  }

  /** @returns whether a switch is on */
  boolean(path: string): boolean {
    const value = this.value(path);
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    return this.refuse(
      path,
      `is ${quote(value)}, which is neither true nor false`,
      'Give true or false.',
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
        `cannot be read, as the time zone of the workflow is ${quote(zone)}`,
        'Choose a time zone in the settings of the workflow.',
      );
    }
    return (
      utcTime(value, zone) ??
      this.refuse(
        path,
        `is ${quote(value)}, which cannot be read as a date and time`,
        'Give an ISO 8601 date such as 2026-11-21T10:00 (in the time zone of the workflow) or 2026-11-21T10:00:00+01:00.',
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
        'Give one entry in each line, or an array of texts.',
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
          'Check quotes, commas and brackets; an expression may give an object directly.',
        )
      : parsed;
  }

  /** @returns the object that the JSON in a field means; an empty one when the field is empty */
  jsonObject(path: string): IDataObject {
    const value = this.json(path);
    if (value === undefined) return {};
    return isObject(value)
      ? value
      : this.refuse(path, 'is not a JSON object', 'Give an object such as { "name": "value" }.');
  }

  /** The workspace of the request: the item's, else the credential's (specification, `workspaceId`). */
  workspaceId(): number {
    const path = 'workspaceId';
    const given = this.value(path);
    if (!isEmpty(given)) return this.positiveInteger(path, given)!;
    const { workspaceId } = this.credential;
    if (workspaceId === '') {
      return this.refuse(
        path,
        'is empty, and the credential has no default',
        'Enter the number of the workspace here or in the credential.',
      );
    }
    const number = wholeNumber(workspaceId);
    if (number === undefined || number === 0) {
      throw new FieldError(
        'Default Workspace ID (in the credential)',
        `is ${quote(workspaceId)}, which is not a whole number`,
        'Correct it in the credential, or enter Workspace ID in the node.',
      );
    }
    return number;
  }
}
