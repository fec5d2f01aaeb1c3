/** What goes wrong. */
export type Fault =
  /** The response takes this many milliseconds longer. */
  | { kind: 'latency'; ms: number }
  /** 429. `retryAfter`: seconds, a moment sent as an HTTP date, or any text; absent: no header. */
  | { kind: 'rateLimit'; retryAfter?: number | Date | string }
  /** Any status with any body: a string is sent as it is, else JSON; absent: a JSON error. */
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  /** The connection is reset without a response. */
  | { kind: 'reset' }
  /**
   * The JSON of the response stops halfway. With `contentLength: 'whole'` (the default) the header
   * declares the full length and the connection closes early. With 'cut' it declares what is sent.
   */
  | { kind: 'truncated'; contentLength?: 'whole' | 'cut' }
  /** The content type says JSON, but the body isn't. */
  | { kind: 'malformedJson' }
  /** An HTML page with status 200. */
  | { kind: 'html' }
  /** No body, with status 200. */
  | { kind: 'empty' }
  /** JSON of a shape that the specification doesn't document. */
  | { kind: 'wrongShape'; body?: unknown }
  /** A list of posts with this `total`. */
  | { kind: 'wrongTotal'; total: unknown }
  /** A list of posts without `total`. */
  | { kind: 'missingTotal' }
  /** A list of posts with at most this many per page. Its `limit` says so. */
  | { kind: 'pageCap'; limit: number }
  /** A list of posts in this order: by creation, newest or oldest first, or by ID. */
  | { kind: 'listOrder'; order: ListOrder }
  /** A list of posts without those that were created in the last so many milliseconds. */
  | { kind: 'lateList'; ms: number }
  /** The response arrives one byte at a time, every `everyMs` milliseconds (default: 100). */
  | { kind: 'slowBody'; everyMs?: number }
  /**
   * Two requests of the same method, and path unless `among` says otherwise, get each other's
   * responses. One that stays alone gets that of the one before, or its own when there is none.
   */
  | { kind: 'crossed'; among?: 'path' | 'method' };

export type ListOrder = 'newest' | 'oldest' | 'id';

/** Which requests a fault applies to. */
export interface FaultMatch {
  method?: string;
  /** Such as /posts, or the whole path /api/v1/posts. */
  path?: string;
  /** The maximum number of requests it applies to. */
  times?: number;
  /** How many matching requests it lets pass first. */
  after?: number;
  /** The probability that it applies to a matching request, from 0 to 1. */
  probability?: number;
  /** The seed of that probability: the same seed gives the same hits. */
  seed?: number;
  /**
   * Whether the service processes the request before the fault applies: a post may exist although
   * its sender never learns of it. Default: false for rateLimit, status and reset, true for the faults
   * that only spoil the response.
   */
  processed?: boolean;
}

export type FaultRule = FaultMatch & Fault;

/** A rule that is in force, with how many requests it has matched and hit. */
export type ActiveFaultRule = FaultRule & { id: number; matched: number; hits: number };

export type FaultKind = Fault['kind'];

export type TotalFaultRule = Extract<ActiveFaultRule, { kind: 'wrongTotal' | 'missingTotal' }>;

export type ResponseFaultRule = Exclude<
  ActiveFaultRule,
  {
    kind: 'latency' | 'pageCap' | 'wrongTotal' | 'missingTotal' | 'listOrder' | 'lateList';
  }
>;

/** The faults that apply to one request. */
export interface RequestFaults {
  latencyMs: number;
  pageCap: number;
  /** What happens to the `total` of a list of posts. */
  total: TotalFaultRule[];
  listOrder: ListOrder | undefined;
  /** How old a post is before a list shows it, in milliseconds. */
  listLagMs: number;
  /** What happens to the response as a whole. */
  response: ResponseFaultRule | undefined;
}
