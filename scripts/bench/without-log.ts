import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PackedPackage } from '../n8n/pack';

/** Nodes whose ID starts with this keep no log. */
export const WITHOUT_LOG = 'without-log';

const STORE = `
  const real = require('./store.real.js');
  const nothing = async () => new Set();
  module.exports = {
    ...real,
    deduplicationStore: (helpers, row) =>
      row.includes('${WITHOUT_LOG}')
        ? { claim: async () => true, add: nothing, find: nothing, isFull: async () => false }
        : real.deduplicationStore(helpers, row),
  };
`;

/** Patches an installed package so that some nodes keep no log: the baseline for its cost. */
export async function allowNoLog({ name }: PackedPackage, userFolder: string): Promise<void> {
  const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
  const room = join(folder, 'dist', 'nodes', 'SocialPublishing', 'idempotency');
  await rename(join(room, 'store.js'), join(room, 'store.real.js'));
  await writeFile(join(room, 'store.js'), STORE);
}
