import type { NodeConnectionType } from 'n8n-workflow';

/**
 * The connection type of inputs and outputs that carry items. n8n exports it as
 * `NodeConnectionTypes.Main` since 1.85 only, so this package writes the value itself.
 */
export const MAIN_CONNECTION: NodeConnectionType = 'main';
