import { type NoResponse, readConnectionError } from './connectionError';
import { type BodyProblem, type BodyResult, isBodyStream, readBody } from './stream';

/** The response of the service, its body as text: `body.ts` reads what it holds. */
export interface HttpResponse {
  readonly responded: true;
  readonly status: number;
  readonly statusText: string;
  /** Header names in lowercase. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty where there is a problem. */
  readonly text: string;
  readonly problem?: BodyProblem;
}

/** How one exchange over HTTP ended. */
export type ExchangeResult = HttpResponse | NoResponse;

/** The full response of n8n's HTTP helpers, asked for as a stream. */
export interface FullResponse {
  readonly statusCode: number;
  readonly statusMessage?: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: unknown;
}

/** Whether the status is a success: any 2xx (docs/service.md, "Success"). */
export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

const bodyOf = async (body: unknown, deadline: AbortSignal): Promise<BodyResult> =>
  isBodyStream(body)
    ? await readBody(body, deadline)
    : { kind: 'text', text: typeof body === 'string' ? body : '' };

/** Reads what both of n8n's HTTP helpers give, until the deadline aborts. */
export async function readResponse(
  response: FullResponse,
  deadline: AbortSignal,
): Promise<ExchangeResult> {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
  const read = await bodyOf(response.body, deadline);
  if (read.kind === 'broken') return readConnectionError(read.error);
  return {
    responded: true,
    status: response.statusCode,
    statusText: response.statusMessage ?? '',
    headers,
    ...(read.kind === 'text' ? { text: read.text } : { text: '', problem: read.problem }),
  };
}
