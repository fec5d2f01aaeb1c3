import type { AgentRunner } from '../agents';
import type { Encounter, Faults } from '../faults';
import type { Publisher } from '../publisher';
import type { RecordedRequest, RequestLog } from '../requests';
import type { ApiKey, Store } from '../store';

/** What the API works with. */
export interface ApiContext {
  store: Store;
  publisher: Publisher;
  agentRunner: AgentRunner;
  faults: Faults;
  log: RequestLog;
  maxPageSize: number;
  latencyMs: number;
  /** Aborts when the sandbox closes. */
  closing: AbortSignal;
}

/** One request on its way through the API. */
export interface ApiCall {
  record: RecordedRequest;
  /** To be called when the request is over. */
  leave: () => void;
  /** The key it carries, if that is valid. */
  key: ApiKey | undefined;
  quotaExceeded: boolean;
  /** The faults it meets with, once it has been let in. */
  faults: Encounter | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: ApiCall;
  }
}
