import { seededRandom } from '../random';

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
  | { kind: 'pageCap'; limit: number };

/** Which requests a fault applies to. */
export interface FaultMatch {
  method?: string;
  /** Such as /posts, or the whole path /api/v1/posts. */
  path?: string;
  /** The maximum number of requests it applies to. */
  times?: number;
  /** How many matching requests pass first. */
  after?: number;
  /** The probability that it applies to a matching request, from 0 to 1. */
  probability?: number;
  /** The seed of that probability: the same seed gives the same hits. */
  seed?: number;
  /**
   * Whether the service processes the request before the fault applies: a post may exist although
   * its sender never learns of it. Default: false for rateLimit, status and reset, true for the
   * faults that only spoil the response.
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
  { kind: 'latency' | 'pageCap' | 'wrongTotal' | 'missingTotal' }
>;

/** The faults that apply to one request. */
export interface RequestFaults {
  latencyMs: number;
  pageCap: number;
  /** What happens to the `total` of a list of posts. */
  total: TotalFaultRule[];
  /** What happens to the response as a whole. */
  response: ResponseFaultRule | undefined;
}

const onlyForPostLists: ReadonlySet<FaultKind> = new Set(['wrongTotal', 'missingTotal', 'pageCap']);

/** The fault rules in force. */
export class Faults {
  readonly #rules: Array<{ rule: ActiveFaultRule; random: () => number }> = [];
  #lastId = 0;

  /**
   * Adds a rule. Latencies add up. Of the rules that replace the whole response, the first that has
   * `times` left applies, so that rules can follow each other.
   */
  add(rule: FaultRule): ActiveFaultRule {
    const active = { ...rule, id: ++this.#lastId, matched: 0, hits: 0 };
    this.#rules.push({ rule: active, random: seededRandom(rule.seed ?? 1) });
    return active;
  }

  remove(id: number): void {
    const index = this.#rules.findIndex(({ rule }) => rule.id === id);
    if (index !== -1) this.#rules.splice(index, 1);
  }

  clear(): void {
    this.#rules.length = 0;
  }

  list(): ActiveFaultRule[] {
    return this.#rules.map(({ rule }) => rule);
  }

  /** Selects the faults for a request and counts it. The path comes without /api/v1. */
  forRequest(method: string, path: string): RequestFaults {
    const faults: RequestFaults = {
      latencyMs: 0,
      pageCap: Infinity,
      total: [],
      response: undefined,
    };
    for (const { rule, random } of this.#rules) {
      if (!matches(rule, method, path)) continue;
      rule.matched += 1;
      if (rule.matched <= (rule.after ?? 0) || rule.hits >= (rule.times ?? Infinity)) continue;
      if (random() >= (rule.probability ?? 1)) continue;
      if (select(faults, rule)) rule.hits += 1;
    }
    return faults;
  }
}

function matches(rule: FaultRule, method: string, path: string): boolean {
  if (onlyForPostLists.has(rule.kind) && !(method === 'GET' && path === '/posts')) return false;
  if (rule.method !== undefined && rule.method.toUpperCase() !== method) return false;
  return rule.path === undefined || rule.path === path || rule.path === `/api/v1${path}`;
}

/** Adds a rule to the faults of a request. Returns false when another rule has its place. */
function select(faults: RequestFaults, rule: ActiveFaultRule): boolean {
  switch (rule.kind) {
    case 'latency':
      faults.latencyMs += rule.ms;
      return true;
    case 'pageCap':
      faults.pageCap = Math.min(faults.pageCap, rule.limit);
      return true;
    case 'wrongTotal':
    case 'missingTotal':
      faults.total.push(rule);
      return true;
    case 'rateLimit':
    case 'status':
    case 'reset':
    case 'truncated':
    case 'malformedJson':
    case 'html':
    case 'empty':
    case 'wrongShape':
      if (faults.response) return false;
      faults.response = rule;
      return true;
  }
}
