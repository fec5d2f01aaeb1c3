import {
  fromFunction,
  type IWebhookFunctions,
  type IWebhookResponseData,
  webhookDescriptionFields,
  type WebhookResponseMode,
} from 'n8n-workflow';

import { asExpression } from '../shared/expressions';
import type { TriggerParameters } from './properties';
import { explained, RefusedDelivery } from './refusal';

interface WebhookResponse {
  statusCode: number;
  status(code: number): WebhookResponse;
  json(body: unknown): WebhookResponse;
  end(...parameters: unknown[]): unknown;
}

/** When n8n responds. It evaluates the source of this function. */
const responseMode = ({ options }: TriggerParameters): WebhookResponseMode =>
  options?.respond === 'whenFinished' ? 'lastNode' : 'onReceived';

/** The body that n8n responds with; blank for what the trigger returns. n8n evaluates its source. */
const responseData = ({ options }: TriggerParameters): string =>
  options?.respond === 'whenFinished' ? 'noData' : '';

/**
 * The two in the description of the webhook: as functions, which n8n 2.35 and later call. An older
 * n8n gets expressions, for which it sets up a sandbox for each delivery.
 */
export const responseFields = webhookDescriptionFields?.({
  responseMode: fromFunction(responseMode),
  responseData: fromFunction(responseData),
}) ?? { responseMode: asExpression(responseMode), responseData: asExpression(responseData) };

/** The body of every response with status 200. It never contains workflow data. */
export const RECEIVED = { received: true };

/**
 * Puts {@link RECEIVED} into the response at the end of a run, where n8n can only send workflow
 * data or an empty body. Its response to a failed run stays as it is.
 */
export function fillEmptyResponse(context: IWebhookFunctions): void {
  const response = context.getResponseObject() as WebhookResponse;
  const json = response.json.bind(response);
  response.json = (body) => json(body ?? RECEIVED);
}

/** Whether n8n's response has a 2xx status, once it is sent, even if the sender has hung up. */
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
 * Responds to a delivery that starts no run: never with an error in production, as n8n would record
 * an execution for whatever anyone sends. In a test run, nothing else reaches the person who waits.
 * @throws NodeOperationError in a test run
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
