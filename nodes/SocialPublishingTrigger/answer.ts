import type {
  INodeParameters,
  IWebhookFunctions,
  IWebhookResponseData,
  WebhookResponseMode,
} from 'n8n-workflow';

import { Refusal } from './refusal';

/** What this node uses of the response that n8n sends. */
interface Answer {
  status(code: number): Answer;
  json(body: unknown): Answer;
}

/** When the service is answered: see the node's parameter. */
export type Respond = 'immediately' | 'whenFinished';

interface Parameters extends INodeParameters {
  options?: { respond?: Respond };
}

/** When n8n answers a delivery that starts the workflow. n8n evaluates the source of this function. */
export const responseMode = ({ options }: Parameters): WebhookResponseMode =>
  options?.respond === 'whenFinished' ? 'lastNode' : 'onReceived';

/**
 * What n8n answers it with; blank means what the trigger returns as `webhookResponse`. n8n evaluates
 * the source of this function.
 */
export const responseData = ({ options }: Parameters): string =>
  options?.respond === 'whenFinished' ? 'noData' : '';

/** The body of every answer with status 200; it never holds data of the workflow. */
export const RECEIVED = { received: true };

/**
 * Gives {@link RECEIVED} to the answer that n8n sends when the workflow has finished: n8n itself
 * offers either data of the workflow or an empty body. What n8n says about a failed run stays.
 */
export function fillEmptyAnswer(context: IWebhookFunctions): void {
  const answer = context.getResponseObject() as Answer;
  const json = answer.json.bind(answer);
  answer.json = (body) => json(body ?? RECEIVED);
}

function unexpected(context: IWebhookFunctions, error: unknown): Refusal {
  const reason = (error as Error).message;
  context.logger.error(`${context.getNode().name} could not handle an event: ${reason}`);
  return new Refusal(500, 'The event could not be handled');
}

/**
 * Answers a delivery that starts nothing. Never throws: n8n would record a failed execution.
 *
 * @param reason a {@link Refusal}, or an error that nobody expected: status 500, the error is logged
 */
export function refuse(context: IWebhookFunctions, reason: unknown): IWebhookResponseData {
  const { status, message } = reason instanceof Refusal ? reason : unexpected(context, reason);
  const answer = context.getResponseObject() as Answer;
  answer.status(status).json({ error: message });
  return { noWebhookResponse: true };
}
