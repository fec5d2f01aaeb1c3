import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ServiceRequest } from '../transport/requests';
import type { Item } from './item';

/** One operation of the node: a page of the specification as fields and a request. */
export interface Operation {
  readonly resource: 'account' | 'agent' | 'analytics' | 'post';
  /** The entry in the operation picker; its `value` names the operation. */
  readonly option: INodePropertyOptions & { readonly value: string };
  /** The fields of this operation alone; where they show is added by `operations.ts`. */
  readonly fields: INodeProperties[];
  /** What a success has done, in words, when the operation writes. */
  readonly did?: 'created' | 'created or updated';
  /**
   * Turns the fields of one item into the request for it, without sending anything: all items are
   * checked before the first request goes out.
   *
   * @throws FieldError for a value that cannot be sent
   */
  request(item: Item): ServiceRequest;
}
