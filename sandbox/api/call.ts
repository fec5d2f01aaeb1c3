import type { Encounter } from '../faults';
import type { RecordedRequest } from '../requests';
import type { ApiKey } from '../store';

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
