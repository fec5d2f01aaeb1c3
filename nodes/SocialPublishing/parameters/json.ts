import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../../shared/json';
import { isRefusal, type Reading } from './reading';
import { isEmpty } from './values';

/** Reads JSON, or what an expression gives directly; `undefined` when it is empty. */
export function readJson(value: unknown): Reading<unknown> {
  if (typeof value !== 'string') return { value };
  if (isEmpty(value)) return { value: undefined };
  const parsed = parseJson(value);
  return parsed === undefined
    ? {
        problem: 'is not valid JSON',
        hint: 'Check quotes, commas and brackets, or give an object with an expression.',
      }
    : { value: parsed };
}

/** Reads a JSON object; an empty one when the field is empty. */
export function readJsonObject(value: unknown): Reading<IDataObject> {
  const reading = readJson(value);
  if (isRefusal(reading)) return reading;
  if (reading.value === undefined) return { value: {} };
  return isObject(reading.value)
    ? { value: reading.value }
    : {
        problem: 'is not a JSON object',
        hint: 'Enter an object such as { "name": "value" }.',
      };
}
