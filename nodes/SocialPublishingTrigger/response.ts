import {
  type IWebhookFunctions,
  type IWebhookResponseData,
  type WebhookResponseMode,
} from 'n8n-workflow';

import type { TriggerParameters } from './properties';
import { explained, RefusedDelivery } from './refusal';

/** The part of n8n's HTTP response that this node uses. */
interface WebhookResponse {
  statusCode: number;
  status(code: number): WebhookResponse;
  json(body: unknown): WebhookResponse;
  end(...parameters: unknown[]): unknown;
}

/**
 * When n8n responds to a delivery that starts the workflow. n8n evaluates the source of this
 * function.
 */
export const responseMode = ({ options }: TriggerParameters): WebhookResponseMode =>
  options?.respond === 'whenFinished' ? 'lastNode' : 'onReceived';

/**
 * The body that n8n responds with; blank for the `webhookResponse` that the trigger returns. n8n
 * evaluates the source of this function.
 */
export const responseData = ({ options }: TriggerParameters): string =>
  options?.respond === 'whenFinished' ? 'noData' : '';

/** The body of every response with status 200. It never contains workflow data. */
export const RECEIVED = { received: true };

/**
 * Puts {@link RECEIVED} into the response that n8n sends when the workflow has finished, where n8n
 * itself can only send workflow data or an empty body. n8n's response to a failed run stays as it is.
 */
export function fillEmptyResponse(context: IWebhookFunctions): void {
  const response = context.getResponseObject() as WebhookResponse;
  const json = response.json.bind(response);
  response.json = (body) => json(body ?? RECEIVED);
}

/**
 * Resolves when n8n sends its response, even if the sender has hung up.
 *
 * @returns whether the response has a 2xx status
 */
export function isAcknowledged(context: IWebhookFunctions): Promise<boolean> {
  const response = context.getResponseObject() as WebhookResponse;
  const end = response.end.bind(response);
  return new Promise((resolve) => {
    response.end = (...parameters) => {
      resolve(response.statusCode >= 200 && response.statusCode < 300);
      return end(...parameters);
    };
  });
}

function unexpected(context: IWebhookFunctions, error: unknown): RefusedDelivery {
  const reason = (error as Error).message;
  context.logger.error(`${context.getNode().name} could not process an event: ${reason}`);
  return new RefusedDelivery(
    500,
    {
      code: 'notProcessed',
      message: 'An event came, but this node could not process it',
      description: reason,
    },
    'n8n could not process the event',
  );
}

/**
 * Responds to a delivery that starts no run. For an error that is thrown, n8n records a failed
 * execution: never in production, where anyone may send anything. But in a test run, nothing else
 * reaches the person who waits, and no node runs.
 *
 * @param reason a {@link RefusedDelivery}; any other error is logged and becomes status 500
 * @throws NodeOperationError in a test run, with the explanation
 */
export function refuse(context: IWebhookFunctions, reason: unknown): IWebhookResponseData {
  const refusal = reason instanceof RefusedDelivery ? reason : unexpected(context, reason);
  const response = context.getResponseObject() as WebhookResponse;
  const respond = response.json.bind(response, { error: refusal.message });
  if (context.getMode() === 'manual') {
    // n8n responds to the error with a status of its own.
    response.json = () => {
      response.status(refusal.status);
      return respond();
    };
    throw explained(context.getNode(), refusal.explanation);
  }
  response.status(refusal.status);
  respond();
  return { noWebhookResponse: true };
}
