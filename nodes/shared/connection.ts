import type { NodeConnectionType } from 'n8n-workflow';

/** The connection that carries items: n8n exports `NodeConnectionTypes.Main` since 1.85 only. */
export const MAIN_CONNECTION: NodeConnectionType = 'main';
