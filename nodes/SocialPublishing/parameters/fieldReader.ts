import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { isObject, parseJson } from '../../shared/json';
import type { Parameters } from './parameters';
import { BETWEEN_URLS, mediaUrl } from './readers';
import {
  expressionProblem,
  FieldError,
  isRefusal,
  type Reading,
  type Refusal,
  wrong,
} from './refusal';
import { COMMAS, isEmpty, located, quote, textList, wholeNumber } from './values';

/** The choice that lets the user enter a value that the specification doesn't list. */
export const CUSTOM = 'custom';

type Named = INodeProperties | INodePropertyCollection;

/** The fields in a collection or a fixed collection; a choice has none. */
const within = (entry: Named): readonly Named[] =>
  'values' in entry
    ? entry.values
    : (entry.options ?? []).filter((option) => 'displayName' in option);

/**
 * A field as the user sees it: "Different for Some Accounts → Account 2 → Text" for the path
 * `overrides.override[1].content`.
 */
export function labelOf(path: string, fields: readonly INodeProperties[]): string {
  const labels: string[] = [];
  let level: readonly Named[] = fields;
  for (const step of path.split('.')) {
    const [, name = step, index] = /^(.+)\[(\d+)\]$/.exec(step) ?? [];
    const found = level.find((entry) => entry.name === name);
    const label = found?.displayName ?? name;
    const number = index === undefined ? '' : ` ${Number(index) + 1}`;
    const isChoice = found !== undefined && 'type' in found && found.type === 'multiOptions';
    // The entries of a list of choices are named in the singular: "Accounts → Account 1".
    if (isChoice && number !== '') labels.push(label, `${label.replace(/s$/, '')}${number}`);
    else labels.push(`${label}${number}`);
    level = found === undefined ? [] : within(found);
  }
  return labels.join(' → ');
}

/**
 * Reads the fields of one input item as values, by their paths, such as
 * `overrides.override[0].content`.
 * @throws FieldError with the name of the field
 */
export class FieldReader {
  constructor(
    private readonly parameters: Parameters,
    private readonly fields: readonly INodeProperties[],
    readonly index: number,
  ) {}

  label(path: string): string {
    return labelOf(path, this.fields);
  }

  /** A parameter as n8n resolves it; `undefined` when it is not set. */
  value(path: string): unknown {
    try {
      return this.parameters.value(path, this.index);
    } catch (error) {
      return this.accept(path, expressionProblem(error));
    }
  }

  /** Whether the user has added an option or a field of a collection, whatever its value. */
  isAdded(path: string): boolean {
    return this.parameters.entered(path) !== undefined;
  }

  entries(path: string): string[] {
    const list = this.parameters.entered(path);
    return Array.isArray(list) ? list.map((_, index) => `${path}[${index}]`) : [];
  }

  /** Why what a field holds can't be sent. */
  fieldError(path: string, refusal: Refusal): FieldError {
    return new FieldError(path, this.label(path), refusal);
  }

  refuse(path: string, problem: string, hint: string, forBuilder?: string): never {
    throw this.fieldError(path, wrong(problem, hint, undefined, forBuilder));
  }

  /** The value that a field was read as, or else a refusal. */
  accept<T>(path: string, reading: Reading<T>): T {
    if (isRefusal(reading)) throw this.fieldError(path, reading);
    return reading.value;
  }

  /** @returns a text, a number or a boolean as text; `undefined` when it is empty, as of the others */
  text(path: string, value = this.value(path)): string | undefined {
    if (isEmpty(value)) return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.refuse(
      path,
      'is not text',
      'Enter text.',
      'To turn another value into text, end the expression with .toString().',
    );
  }

  /** @returns the text without blanks around it */
  requiredText(path: string, hint: string): string {
    return this.text(path)?.trim() ?? this.refuse(path, 'is empty', hint);
  }

  /** @returns a list of texts: see {@link textList} */
  list(path: string, separator = COMMAS, value = this.value(path)): string[] {
    return (
      textList(value, separator) ??
      this.refuse(
        path,
        'is not a list of texts',
        'Enter one text per line.',
        'Or give an array of texts.',
      )
    );
  }

  /** @returns the chosen value, or for "Custom" what is in the field at `customPath` */
  choice(path: string, customPath: string): string | undefined {
    const chosen = this.text(path);
    return chosen === CUSTOM
      ? this.requiredText(customPath, 'Enter the value as the service writes it.')
      : chosen;
  }

  oneOf<T extends string>(path: string, values: readonly T[]): T | undefined {
    const chosen = this.text(path);
    if (chosen === undefined) return undefined;
    const value = values.find((one) => one === chosen);
    return value ?? this.refuse(path, `is ${quote(chosen)}`, `Enter one of ${values.join(', ')}.`);
  }

  /** @returns whether a switch is on; `unset` when it is not set */
  switch(path: string, unset = false): boolean {
    const value = this.value(path) ?? unset;
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    return this.refuse(
      path,
      `is ${quote(value)}, which is neither true nor false`,
      'Enter true or false.',
    );
  }

  /** @returns whether a switch is on; an empty value is refused: it would turn something off by accident */
  requiredSwitch(path: string, hint: string): boolean {
    return isEmpty(this.value(path)) ? this.refuse(path, 'is empty', hint) : this.switch(path);
  }

  /** @returns a whole number that is not negative */
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

  positiveInteger(path: string, value = this.value(path)): number | undefined {
    const number = this.integer(path, value);
    return number === 0
      ? this.refuse(path, `is ${number}, which is too small`, 'Enter a number of at least 1.')
      : number;
  }

  id(path: string): number | undefined {
    return this.positiveInteger(path, located(this.value(path)));
  }

  /** @returns what JSON means, or what an expression gives directly */
  json(path: string): unknown {
    const value = this.value(path);
    if (typeof value !== 'string') return value;
    if (isEmpty(value)) return undefined;
    const parsed = parseJson(value);
    return parsed === undefined
      ? this.refuse(
          path,
          'is not valid JSON',
          'Check quotes, commas and brackets, or give an object with an expression.',
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

  /** @returns the absolute URLs that a field lists, as a strict reader takes them: see {@link mediaUrl} */
  mediaUrls(path: string, value = this.value(path)): string[] {
    return this.list(path, BETWEEN_URLS, value).map(
      (text) =>
        mediaUrl(text) ??
        this.refuse(
          path,
          `contains ${quote(text)}, which is not an absolute URL`,
          'Enter the full address, beginning with https:// or http://. Write a space in it as %20.',
        ),
    );
  }
}
