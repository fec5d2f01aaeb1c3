import { seededRandom } from './random';

/** What goes wrong. */
export type Fault =
  /** The answer takes this many milliseconds longer. */
  | { kind: 'latency'; ms: number }
  /** 429. `retryAfter`: seconds, or a moment written as an HTTP date, or any text; absent: no header. */
  | { kind: 'rateLimit'; retryAfter?: number | Date | string }
  /** Any status, with any body: a text as it is, anything else as JSON; absent: a JSON error. */
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  /** The connection is reset without an answer. */
  | { kind: 'reset' }
  /**
   * The JSON of the answer breaks off in the middle. With `contentLength: 'whole'` (the default) the
   * length of the whole is declared and the connection closed early; with 'cut' the answer is
   * complete, but its JSON is not.
   */
  | { kind: 'truncated'; contentLength?: 'whole' | 'cut' }
  /** The answer isn't JSON, though its content type says so. */
  | { kind: 'malformedJson' }
  /** An HTML page with status 200. */
  | { kind: 'html' }
  /** No body, with status 200. */
  | { kind: 'empty' }
  /** JSON that isn't what the specification documents. */
  | { kind: 'wrongShape'; body?: unknown }
  /** A list of posts that gives this as its `total`. */
  | { kind: 'wrongTotal'; total: unknown }
  /** A list of posts without `total`. */
  | { kind: 'missingTotal' }
  /** A list of posts with at most this many on a page, which its `limit` says. */
  | { kind: 'pageCap'; limit: number };

/** Which requests a fault hits. */
export interface FaultMatch {
  method?: string;
  /** Such as /posts, or with the whole path /api/v1/posts. */
  path?: string;
  /** How many requests it hits at most. */
  times?: number;
  /** How many matching requests it lets pass first. */
  after?: number;
  /** How likely it is to hit a matching request, from 0 to 1. */
  probability?: number;
  /** What its chances are drawn from: the same seed, the same hits. */
  seed?: number;
  /**
   * Whether the request has been acted on when the fault strikes: a post may exist although its
   * sender never learns of it. Default: false for rateLimit, status and reset, true for the faults
   * that spoil an answer.
   */
  acted?: boolean;
}

export type FaultRule = FaultMatch & Fault;

/** A rule in force, with how many matching requests it has seen and hit. */
export type ActiveFaultRule = FaultRule & { id: number; seen: number; hits: number };

export type FaultKind = Fault['kind'];

export type TotalFaultRule = Extract<ActiveFaultRule, { kind: 'wrongTotal' | 'missingTotal' }>;

export type AnswerFaultRule = Exclude<
  ActiveFaultRule,
  { kind: 'latency' | 'pageCap' | 'wrongTotal' | 'missingTotal' }
>;

/** The faults that one request has met with. */
export interface Encounter {
  latencyMs: number;
  pageCap: number;
  /** What becomes of the `total` of a list of posts. */
  total: TotalFaultRule[];
  /** What becomes of the answer as a whole. */
  answer: AnswerFaultRule | undefined;
}

const ofPostLists: ReadonlySet<FaultKind> = new Set(['wrongTotal', 'missingTotal', 'pageCap']);

/** The fault rules in force. */
export class Faults {
  readonly #rules: Array<{ rule: ActiveFaultRule; random: () => number }> = [];
  #lastId = 0;

  /**
   * Puts a rule in force. Latencies add up; of the rules that decide over the whole answer, the one
   * that was added first and still has `times` left strikes, so that rules can follow each other.
   */
  add(rule: FaultRule): ActiveFaultRule {
    const active = { ...rule, id: ++this.#lastId, seen: 0, hits: 0 };
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

  /** What a request to a path, given without the /api/v1, meets with; counts it. */
  meet(method: string, path: string): Encounter {
    const met: Encounter = { latencyMs: 0, pageCap: Infinity, total: [], answer: undefined };
    for (const { rule, random } of this.#rules) {
      if (!matches(rule, method, path)) continue;
      rule.seen += 1;
      if (rule.seen <= (rule.after ?? 0) || rule.hits >= (rule.times ?? Infinity)) continue;
      if (random() >= (rule.probability ?? 1)) continue;
      if (join(met, rule)) rule.hits += 1;
    }
    return met;
  }
}

function matches(rule: FaultRule, method: string, path: string): boolean {
  if (ofPostLists.has(rule.kind) && !(method === 'GET' && path === '/posts')) return false;
  if (rule.method !== undefined && rule.method.toUpperCase() !== method) return false;
  return rule.path === undefined || rule.path === path || rule.path === `/api/v1${path}`;
}

/** Adds a rule to what a request meets with and says whether it has a place there. */
function join(met: Encounter, rule: ActiveFaultRule): boolean {
  switch (rule.kind) {
    case 'latency':
      met.latencyMs += rule.ms;
      return true;
    case 'pageCap':
      met.pageCap = Math.min(met.pageCap, rule.limit);
      return true;
    case 'wrongTotal':
    case 'missingTotal':
      met.total.push(rule);
      return true;
    case 'rateLimit':
    case 'status':
    case 'reset':
    case 'truncated':
    case 'malformedJson':
    case 'html':
    case 'empty':
    case 'wrongShape':
      if (met.answer) return false;
      met.answer = rule;
      return true;
  }
}
