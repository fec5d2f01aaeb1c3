import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { SocialAccount } from '../records';
import type { SandboxService } from '../service';
import { findWorkspace, parseQuery, queryInteger } from './validation';

const listQuery = z.object({ workspaceId: queryInteger(1) });

/** GET {base_url}/accounts. */
export function accountRoutes(app: FastifyInstance, { store }: SandboxService) {
  app.get('/accounts', (request) => {
    const { workspaceId } = parseQuery(listQuery, request.query);
    findWorkspace(store, workspaceId);
    return { accounts: store.accountsOf(workspaceId).map(accountRecord) };
  });
}

/** The documented fields of an account, without its tokens. */
function accountRecord(account: SocialAccount) {
  const { id, platform, platformUsername, displayName, isActive } = account;
  return { id, platform, platformUsername, displayName, isActive };
}
