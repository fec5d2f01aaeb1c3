import { seededRandom } from '../random';
import type { ActiveFaultRule, FaultKind, FaultRule, RequestFaults } from './rules';

/** A rule with what it needs to remember between requests. */
interface RuleState {
  rule: ActiveFaultRule;
  random: () => number;
  /** How many requests are in flight that a concurrencyLimit has allowed. */
  inFlight: number;
  /** When a throughputLimit allowed its latest requests, in Unix milliseconds, oldest first. */
  allowedAt: number[];
}

const onlyForPostLists: ReadonlySet<FaultKind> = new Set([
  'wrongTotal',
  'missingTotal',
  'pageCap',
  'listOrder',
  'growingList',
  'lateList',
]);

/** The fault rules in force. */
export class Faults {
  readonly #entries: RuleState[] = [];
  #lastId = 0;

  /**
   * Adds a rule. Latencies add up. Of the rules that replace the whole response, the first that has
   * `times` left applies, so that rules can follow each other.
   */
  add(rule: FaultRule): ActiveFaultRule {
    const active = { ...rule, id: ++this.#lastId, matched: 0, hits: 0 };
    const random = seededRandom(rule.seed ?? 1);
    this.#entries.push({ rule: active, random, inFlight: 0, allowedAt: [] });
    return active;
  }

  remove(id: number): void {
    const index = this.#entries.findIndex(({ rule }) => rule.id === id);
    if (index !== -1) this.#entries.splice(index, 1);
  }

  clear(): void {
    this.#entries.length = 0;
  }

  list(): ActiveFaultRule[] {
    return this.#entries.map(({ rule }) => rule);
  }

  /** Selects the faults for a request and counts it. The path comes without /api/v1. */
  forRequest(method: string, path: string): RequestFaults {
    const taken: RuleState[] = [];
    const faults: RequestFaults = {
      latencyMs: 0,
      pageCap: Infinity,
      total: [],
      listOrder: undefined,
      newPosts: 0,
      listLagMs: 0,
      response: undefined,
      release: () => {
        for (const entry of taken.splice(0)) entry.inFlight -= 1;
      },
    };
    for (const entry of this.#entries) {
      const { rule, random } = entry;
      if (!matches(rule, method, path)) continue;
      rule.matched += 1;
      if (rule.matched <= (rule.after ?? 0) || rule.hits >= (rule.times ?? Infinity)) continue;
      if (random() >= (rule.probability ?? 1)) continue;
      if (isWithinLimit(entry, taken)) continue;
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

/**
 * Whether a limit allows one more request, which it then counts. Always false for other rules.
 * @param taken gets the rule when it counts the request as in flight
 */
function isWithinLimit(entry: RuleState, taken: RuleState[]): boolean {
  const { rule, allowedAt } = entry;
  if (rule.kind === 'concurrencyLimit') {
    if (entry.inFlight >= rule.limit) return false;
    entry.inFlight += 1;
    taken.push(entry);
    return true;
  }
  if (rule.kind === 'throughputLimit') {
    const now = Date.now();
    while (allowedAt[0] !== undefined && allowedAt[0] <= now - 1_000) allowedAt.shift();
    if (allowedAt.length >= rule.perSecond) return false;
    allowedAt.push(now);
    return true;
  }
  return false;
}

/** Adds a rule to the faults of a request. Returns false when another rule applies already. */
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
    case 'listOrder':
      faults.listOrder = rule.order;
      return true;
    case 'growingList':
      faults.newPosts += rule.count ?? 1;
      return true;
    case 'lateList':
      faults.listLagMs = Math.max(faults.listLagMs, rule.ms);
      return true;
    case 'rateLimit':
    case 'concurrencyLimit':
    case 'throughputLimit':
    case 'status':
    case 'reset':
    case 'truncated':
    case 'malformedJson':
    case 'html':
    case 'empty':
    case 'wrongShape':
    case 'endlessBody':
    case 'gzipBomb':
    case 'slowBody':
    case 'deepJson':
    case 'wrongCharset':
    case 'crossed':
      if (faults.response) return false;
      faults.response = rule;
      return true;
  }
}
