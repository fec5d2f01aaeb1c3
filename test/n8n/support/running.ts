import type { N8nInstance } from '../../../scripts/n8n/instance';

/** Hands the n8n that the global setup started to the global teardown. */
export const running: { n8n?: N8nInstance } = {};
