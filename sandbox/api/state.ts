import type { RequestFaults } from '../faults/rules';
import type { ApiKey } from '../records';
import type { LoggedRequest } from '../request-log';

/** What the API knows of a request. */
export interface RequestState {
  logged: LoggedRequest;
  /** Marks the request as no longer in flight. */
  finish: () => void;
  /** The API key it carries, if the key is valid. */
  key: ApiKey | undefined;
  quotaExceeded: boolean;
  /** The faults that apply to it, once it has access. */
  faults: RequestFaults | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}
