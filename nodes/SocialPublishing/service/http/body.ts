import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../../../shared/json';
import type { HttpResponse } from './response';

/** Reads the body of a successful response as the specification documents it. */
export interface BodyReader<T> {
  readonly field: string;
  /** @returns what was found, or `undefined` when the body is not the documented one */
  read(response: HttpResponse): T | undefined;
}

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

/** The one record under `field`: `analytics` (docs/service.md, "Endpoints"). */
export const record = (field: string): BodyReader<IDataObject[]> => ({
  field,
  read(response) {
    const found = bodyOf(response)[field];
    return isObject(found) ? [found] : undefined;
  },
});

/** A written record under `field`, which must have an `id` (docs/service.md, "Records"). */
export const writtenRecord = (field: string): BodyReader<IDataObject> => ({
  field,
  read(response) {
    const found = bodyOf(response)[field];
    return isObject(found) && isId(found.id) ? found : undefined;
  },
});

/** A list of records under `field`: `accounts` or `agents` (docs/service.md, "Endpoints"). */
export const list = (field: string): BodyReader<IDataObject[]> => ({
  field,
  read: (response) => recordsIn(bodyOf(response)[field]),
});

/** One page of the records under `field`: `posts` (docs/service.md, "GET /posts"). */
export const page = (field: string): BodyReader<Page> => ({
  field,
  read(response) {
    const { [field]: found, limit, total } = bodyOf(response);
    const records = recordsIn(found);
    return records === undefined
      ? undefined
      : {
          records,
          limit: isCount(limit) && limit > 0 ? limit : undefined,
          total: isCount(total) ? total : undefined,
        };
  },
});
