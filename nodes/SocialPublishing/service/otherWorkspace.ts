import type { IDataObject } from 'n8n-workflow';

import { failed, type Outcome } from './outcome';

/**
 * What came of a read, unless it is the answer for another workspace. Of posts, each names its own
 * (docs/service.md, "Success").
 *
 * @param asked the `workspaceId` of the query
 */
export function ofWorkspace(
  asked: unknown,
  outcome: Outcome<IDataObject[]>,
): Outcome<IDataObject[]> {
  const other = (outcome.ok ? outcome.value : [])
    .map(({ workspaceId }) => Number(workspaceId ?? NaN))
    .find((workspaceId) => workspaceId > 0 && workspaceId !== Number(asked));
  if (other === undefined) return outcome;
  return failed({
    code: 'otherWorkspace',
    message: `The service answered for workspace ${other} instead of ${Number(asked)}`,
    description:
      'Run this again. If it happens again, tell the operator of the service, or of the proxy in front of it.',
    certainty: 'failed',
  });
}
