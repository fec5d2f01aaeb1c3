import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import type { Parameters } from './parameters';
import {
  CUSTOM,
  located,
  readInteger,
  readJson,
  readJsonObject,
  readMediaUrls,
  readOneOf,
  readPositiveInteger,
  readSwitch,
  readText,
  readTexts,
} from './readers';
import { expressionProblem, FieldError, isRefusal, type Reading, type Refusal } from './refusal';
import { COMMAS, isEmpty } from './values';

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
    // The entries of a list of choices are named in the singular: "Accounts → Account 1".
    if (
      found !== undefined &&
      'type' in found &&
      found.type === 'multiOptions' &&
      index !== undefined
    ) {
      labels.push(label, `${label.replace(/s$/, '')}${number}`);
    } else {
      labels.push(`${label}${number}`);
    }
    level = found === undefined ? [] : within(found);
  }
  return labels.join(' → ');
}

/**
 * Reads the fields of one input item as values, by their paths, such as
 * `overrides.override[0].content`. What a value means, or why it is refused, is in readers.ts.
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

  refuse(path: string, problem: string, hint: string): never {
    throw this.fieldError(path, { problem, hint });
  }

  /** The value that a field was read as, or else a refusal. */
  accept<T>(path: string, reading: Reading<T>): T {
    if (isRefusal(reading)) throw this.fieldError(path, reading);
    return reading.value;
  }

  text(path: string, value = this.value(path)): string | undefined {
    return this.accept(path, readText(value));
  }

  /** @returns the text without blanks around it */
  requiredText(path: string, hint: string): string {
    return this.text(path)?.trim() ?? this.refuse(path, 'is empty', hint);
  }

  list(path: string): string[] | undefined {
    return this.accept(path, readTexts(this.value(path), COMMAS));
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
    return chosen === undefined ? undefined : this.accept(path, readOneOf(chosen, values));
  }

  /** @returns whether a switch is on; `unset` when it is not set */
  switch(path: string, unset = false): boolean {
    return this.accept(path, readSwitch(this.value(path) ?? unset));
  }

  /** @returns whether a switch is on; an empty value is refused: it would turn something off by accident */
  requiredSwitch(path: string, hint: string): boolean {
    const value = this.value(path);
    return isEmpty(value)
      ? this.refuse(path, 'is empty', hint)
      : this.accept(path, readSwitch(value));
  }

  integer(path: string): number | undefined {
    return this.accept(path, readInteger(this.value(path)));
  }

  positiveInteger(path: string): number | undefined {
    return this.accept(path, readPositiveInteger(this.value(path)));
  }

  id(path: string, value = this.value(path)): number | undefined {
    return this.accept(path, readPositiveInteger(located(value)));
  }

  json(path: string): unknown {
    return this.accept(path, readJson(this.value(path)));
  }

  /** @returns the object that the JSON in a field means; an empty one when the field is empty */
  jsonObject(path: string): IDataObject {
    return this.accept(path, readJsonObject(this.value(path)));
  }

  mediaUrls(path: string, value = this.value(path)): string[] {
    return this.accept(path, readMediaUrls(value));
  }
}
