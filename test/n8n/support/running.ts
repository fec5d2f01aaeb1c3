import type { N8nInstance } from '../../../scripts/n8n/instance';

/** Hands what the global setup started to the global teardown: an n8n for each jest worker. */
export const running: N8nInstance[] = [];
