import type { N8nInstance } from '../../../scripts/n8n/instance';

/** The n8n that the global setup started, for the global teardown. */
export const running: { n8n?: N8nInstance } = {};
