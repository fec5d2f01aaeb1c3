import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Refusal } from './refusal';

/** What this node uses of the response that n8n sends. */
interface Answer {
  status(code: number): Answer;
  json(body: unknown): Answer;
}

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
