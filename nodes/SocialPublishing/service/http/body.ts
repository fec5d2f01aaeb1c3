import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../../../shared/json';
import type { HttpResponse } from './response';

/**
 * Reads what a field of the body of a successful response holds (docs/service.md, "Endpoints").
 * @returns `undefined` when it is not what the specification documents
 */
export type BodyReader<T> = (response: HttpResponse, field: string) => T | undefined;

/** One page of a list as the service returned it (docs/service.md, "GET /posts"). */
export interface Page {
  readonly records: IDataObject[];
  /** The page size that the service used; `undefined` when the response does not name a usable one. */
  readonly limit: number | undefined;
  /** How many records there are in all; `undefined` when the response does not name a usable number. */
  readonly total: number | undefined;
}

function bodyOf(response: HttpResponse): IDataObject {
  const body = parseJson(response.text);
  return isObject(body) ? body : {};
}

const recordsIn = (value: unknown): IDataObject[] | undefined => {
  const values: unknown[] | undefined = Array.isArray(value) ? value : undefined;
  return values?.every(isObject) ? values : undefined;
};

const isId = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** One record, such as analytics. */
export const record: BodyReader<IDataObject[]> = (response, field) => {
  const found = bodyOf(response)[field];
  return isObject(found) ? [found] : undefined;
};

/** A written record, which must have an `id` (docs/service.md, "Records"). */
export const writtenRecord: BodyReader<IDataObject> = (response, field) => {
  const found = bodyOf(response)[field];
  return isObject(found) && isId(found.id) ? found : undefined;
};

/** All records of a list. */
export const list: BodyReader<IDataObject[]> = (response, field) =>
  recordsIn(bodyOf(response)[field]);

export const page: BodyReader<Page> = (response, field) => {
  const { [field]: found, limit, total } = bodyOf(response);
  const records = recordsIn(found);
  return (
    records && {
      records,
      limit: isCount(limit) && limit > 0 ? limit : undefined,
      total: isCount(total) ? total : undefined,
    }
  );
};
