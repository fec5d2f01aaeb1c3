import type { IDataObject } from 'n8n-workflow';

/** The paths of the interface, relative to `{base_url}` (specification, "Endpoints"). */
export type Path = '/posts' | '/accounts' | '/analytics' | '/agents';

interface Read {
  readonly path: Path;
  readonly query: IDataObject;
}

/** One GET whose body holds one record under `field`. */
export interface ReadRecord extends Read {
  readonly kind: 'record';
  readonly field: string;
  /** Cuts the record into the records of the output. */
  readonly split?: (record: IDataObject) => IDataObject[];
}

/** One GET whose body holds all records under `field`; `take` of them are kept. */
export interface ReadList extends Read {
  readonly kind: 'list';
  readonly field: string;
  readonly take: number;
}

/** As many GETs as the pages of the list under `field` need (specification, "GET {base_url}/posts"). */
export interface ReadPages extends Read {
  readonly kind: 'pages';
  readonly field: string;
  /** How many records to skip. */
  readonly offset: number;
  /** How many records to return at most; `Infinity` for all. */
  readonly take: number;
  /** How many records to ask for in one request. */
  readonly pageSize: number;
}

/** One POST whose answer holds the written record under `field`. */
export interface Write {
  readonly kind: 'write';
  readonly path: Path;
  readonly body: IDataObject;
  readonly field: string;
}

/** What an operation asks of the service for one item. */
export type ServiceRequest = ReadRecord | ReadList | ReadPages | Write;
