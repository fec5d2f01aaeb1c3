import { z } from 'zod';

import type { Delivery, DeliveryAttempt } from '../records';

/**
 * Sends a delivery once.
 * @returns the status of the response, or why there was none
 */
export async function sendDelivery(
  { url, body, signature }: Delivery,
  timeoutMs: number,
  closing: AbortSignal,
): Promise<Omit<DeliveryAttempt, 'at'>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'social-publishing-sandbox',
        'X-Service-Signature': signature,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing, timeout]),
    });
    await response.arrayBuffer();
    return { status: response.status };
  } catch (error) {
    const message = timeout.aborted ? `No response within ${timeoutMs} ms.` : causeMessage(error);
    return { error: message };
  }
}

const fetchError = z.object({
  cause: z.object({ code: z.string().optional(), message: z.string().optional() }),
});

/** The message behind an error of fetch, such as "connect ECONNREFUSED 127.0.0.1:5678". */
function causeMessage(error: unknown): string {
  const { data } = fetchError.safeParse(error);
  return data?.cause.message || data?.cause.code || String(error);
}
