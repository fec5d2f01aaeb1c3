import type { IDataObject } from 'n8n-workflow';

import type { HttpRequest } from './http/request';

/** Where an operation asks, the same for all items (docs/service.md, "Endpoints"). */
interface EndpointWith<Answer extends string> extends Pick<HttpRequest, 'method' | 'path'> {
  /** The field of the response that holds what was asked for. */
  readonly field: string;
  /** What stands there: one `record`, a `list` of all, a list in `pages`, or the `written` record. */
  readonly answer: Answer;
}

export type ReadEndpoint = EndpointWith<'record' | 'list' | 'pages'>;

export type WriteEndpoint = EndpointWith<'written'>;

/** The lists that are read to understand fields, too. */
export const ACCOUNTS: ReadEndpoint = {
  method: 'GET',
  path: '/accounts',
  field: 'accounts',
  answer: 'list',
};

export const POSTS: ReadEndpoint = {
  method: 'GET',
  path: '/posts',
  field: 'posts',
  answer: 'pages',
};

/** Which records of a list to return. */
export interface ListRange {
  /** How many records to return at most; `Infinity` for all. */
  readonly limit: number;
  readonly offset?: number;
  readonly pageSize?: number;
}

/** What one item asks of a {@link ReadEndpoint}. */
export interface ReadRequest {
  readonly query: IDataObject;
  /** All records when absent. */
  readonly range?: ListRange;
}
