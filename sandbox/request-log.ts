import type { IncomingHttpHeaders } from 'node:http';

/** A request to the API, as it arrived. */
export interface LoggedRequest {
  method: string;
  /** The path without the query, such as /api/v1/posts. */
  path: string;
  /** Path and query, exactly as sent. */
  url: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The exact bytes of the body. */
  body: Buffer;
  receivedAt: Date;
  /** The status of the response; absent until there is one, or when the connection was cut. */
  status?: number;
  /** How many API requests were in flight when this one arrived, itself included. */
  inFlight: number;
}

const noBody = Buffer.alloc(0);

/** Records the requests to the API in order of arrival and counts those in flight. */
export class RequestLog {
  readonly requests: LoggedRequest[] = [];
  inFlight = 0;
  maxInFlight = 0;

  /** @param size the number of latest requests to keep; up to twice as many stay in memory */
  constructor(private readonly size = Infinity) {}

  /** Records a request. Call `finish` once it is over. */
  start(method: string, url: string, headers: IncomingHttpHeaders) {
    const queryStart = url.indexOf('?');
    const path = queryStart === -1 ? url : url.slice(0, queryStart);
    const query = queryStart === -1 ? '' : url.slice(queryStart + 1);
    this.inFlight += 1;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    const logged: LoggedRequest = {
      method,
      path,
      url,
      query: Object.fromEntries(new URLSearchParams(query)),
      headers,
      body: noBody,
      receivedAt: new Date(),
      inFlight: this.inFlight,
    };
    if (this.requests.length >= 2 * this.size) this.requests.splice(0, this.size);
    this.requests.push(logged);

    let finished = false;
    const finish = () => {
      if (!finished) this.inFlight -= 1;
      finished = true;
    };
    return { logged, finish };
  }

  clear(): void {
    this.requests.length = 0;
    this.maxInFlight = this.inFlight;
  }
}
