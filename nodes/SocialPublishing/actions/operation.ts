import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ReadEndpoint, ReadRequest, WriteEndpoint } from '../transport/requests';
import type { Item } from './input/item';

interface Described {
  readonly resource: 'account' | 'agent' | 'analytics' | 'post';
  /** The entry in the operation picker; its `value` names the operation. */
  readonly option: INodePropertyOptions & { readonly value: string };
  /** The fields of this operation alone. `index.ts` adds where they show. */
  readonly fields: INodeProperties[];
}

/** What one item reads. */
export interface ItemRead extends ReadRequest {
  /** Turns the records that were read into those of the output. */
  readonly output?: (records: IDataObject[]) => IDataObject[];
}

/** An operation that reads: a page of the specification as fields and a query. */
export interface ReadOperation extends Described {
  readonly kind: 'read';
  readonly endpoint: ReadEndpoint;
  /**
   * Turns the fields of one item into what it asks for. Sends nothing: all items are checked before
   * the first request goes out.
   *
   * @throws FieldError for a value that cannot be sent
   */
  request(item: Item): ItemRead;
}

/** An operation that writes: a page of the specification as fields and a body. */
export interface WriteOperation extends Described {
  readonly kind: 'write';
  readonly endpoint: WriteEndpoint;
  /** What a success has done, in words: `created`. */
  readonly did: string;
  /**
   * Turns the fields of one item into the body of its request. Sends nothing: all items are checked
   * before the first request goes out.
   *
   * @throws FieldError for a value that cannot be sent
   */
  body(item: Item): IDataObject;
}

export type Operation = ReadOperation | WriteOperation;
