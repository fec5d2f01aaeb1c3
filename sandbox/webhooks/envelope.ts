/** The body of a delivery: the envelope of an event as JSON (docs/service.md, "Envelope"). */
export function encodeEnvelope(event: string, data: object, timestamp: string): Buffer {
  return Buffer.from(JSON.stringify({ event, data, timestamp }));
}
