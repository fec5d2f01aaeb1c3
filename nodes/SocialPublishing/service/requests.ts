import type { IDataObject } from 'n8n-workflow';

import type { Path } from './http/request';

/** What an operation reads, the same for all items. */
export interface ReadEndpoint {
  readonly path: Path;
  /**
   * How the records come: one `record`, a `list` of all, or a list in `pages`, requested as needed
   * (docs/service.md, "GET /posts").
   */
  readonly returns: 'record' | 'list' | 'pages';
  /** The field of the response that holds them. */
  readonly field: string;
}

/** Which records of a list to return. */
export interface ListRange {
  /** How many records to return at most; `Infinity` for all. */
  readonly limit: number;
  /** How many records to skip. Needs pages. */
  readonly offset?: number;
  /** How many records to ask for in one request. Needs pages. */
  readonly pageSize?: number;
}

/** What one item asks of a {@link ReadEndpoint}. */
export interface ReadRequest {
  readonly query: IDataObject;
  /** All records when absent. */
  readonly range?: ListRange;
}

/** Where an operation writes, the same for all items. */
export interface WriteEndpoint {
  readonly path: Path;
  /** The field of the response that holds the written record. */
  readonly field: string;
}
