import type { IncomingHttpHeaders } from 'node:http';

/** A request to the API, as it arrived. */
export interface RecordedRequest {
  method: string;
  /** The path without the query, such as /api/v1/posts. */
  path: string;
  /** Path and query as sent. */
  url: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The exact bytes of the body. */
  body: Buffer;
  receivedAt: Date;
  /** The status of the answer; absent while there is none, or when the connection was cut instead. */
  status?: number;
  /** How many API requests were under way when this one had arrived, itself included. */
  inFlight: number;
}

const nothing = Buffer.alloc(0);

/** Keeps the requests to the API in the order of their arrival and counts those under way. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  inFlight = 0;
  maxInFlight = 0;

  /** @param keep how many requests are kept at least; older ones may go */
  constructor(private readonly keep = Infinity) {}

  /** Records the arrival of a request and gives the record with a function to call when it is over. */
  arrive(method: string, url: string, headers: IncomingHttpHeaders) {
    const [path = '', search] = splitAt(url, url.indexOf('?'));
    this.inFlight += 1;
    if (this.inFlight > this.maxInFlight) this.maxInFlight = this.inFlight;
    const record: RecordedRequest = {
      method,
      path,
      url,
      query: search ? Object.fromEntries(new URLSearchParams(search)) : {},
      headers,
      body: nothing,
      receivedAt: new Date(),
      inFlight: this.inFlight,
    };
    if (this.requests.length >= 2 * this.keep) this.requests.splice(0, this.keep);
    this.requests.push(record);

    let over = false;
    const leave = () => {
      if (!over) this.inFlight -= 1;
      over = true;
    };
    return { record, leave };
  }

  clear(): void {
    this.requests.length = 0;
    this.maxInFlight = this.inFlight;
  }
}

function splitAt(text: string, index: number): [string, string] | [string] {
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}
