import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';

const underWay = new Set<Promise<INodeExecutionData[][]>>();

/** The node, for whose end `nodesEnd` waits. */
export class ObservedNode extends SocialPublishing {
  override execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const running = super.execute.call(this);
    underWay.add(running);
    const end = () => underWay.delete(running);
    running.then(end, end);
    return running;
  }
}

/** Resolves when all of our nodes have ended. n8n does not wait for the one that it stops. */
export async function nodesEnd(): Promise<void> {
  await Promise.allSettled(underWay);
}
