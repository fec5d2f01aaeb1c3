import { seededRandom } from '../random';
import type { ActiveFaultRule, FaultKind, FaultRule, RequestFaults } from './rules';

/** A rule with what it needs to remember between requests. */
interface RuleState {
  rule: ActiveFaultRule;
  random: () => number;
}

const onlyForPostLists: ReadonlySet<FaultKind> = new Set([
  'wrongTotal',
  'missingTotal',
  'pageCap',
  'listOrder',
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
    this.#entries.push({ rule: active, random });
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
    const faults: RequestFaults = {
      latencyMs: 0,
      pageCap: Infinity,
      total: [],
      listOrder: undefined,
      listLagMs: 0,
      response: undefined,
    };
    for (const entry of this.#entries) {
      const { rule, random } = entry;
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
    case 'lateList':
      faults.listLagMs = Math.max(faults.listLagMs, rule.ms);
      return true;
    case 'rateLimit':
    case 'status':
    case 'reset':
    case 'truncated':
    case 'malformedJson':
    case 'html':
    case 'empty':
    case 'wrongShape':
    case 'slowBody':
    case 'crossed':
      if (faults.response) return false;
      faults.response = rule;
      return true;
  }
}
