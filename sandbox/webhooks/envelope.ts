/** The body of a delivery: the envelope of an event as JSON (specification, "Envelope"). */
export function encodeEnvelope(event: string, data: object, timestamp: string): Buffer {
  return Buffer.from(JSON.stringify({ event, data, timestamp }));
}
