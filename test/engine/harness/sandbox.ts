import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { LoggedRequest, Sandbox, SandboxOptions } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import type { CredentialEntries } from '../../../scripts/engine/credentials';

/** A sandbox that is started before each test and closed after it. */
export interface SandboxOfTest {
  readonly sandbox: Sandbox;
  /** The credential `sandbox` that the files in `workflows/` use. Its API key is on the Pro plan. */
  credentials(more?: ICredentialDataDecryptedObject): CredentialEntries;
  /** The requests so far, each as `<method> <path and query> <body>`. */
  wire(): string[];
}

/**
 * Starts a sandbox with an empty workspace 1 for each test of the surrounding file or `describe`.
 */
export function useSandbox(options: SandboxOptions = { seed: false }): SandboxOfTest {
  let running: Sandbox | undefined;
  beforeEach(async () => {
    running = await startSandbox(options);
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });
  const current = () => {
    if (!running) throw new Error('The sandbox runs only during tests');
    return running;
  };
  return {
    get sandbox() {
      return current();
    },
    credentials(more = {}) {
      const { baseUrl, keys, workspaceId } = current();
      const data = { baseUrl, apiKey: keys.pro, workspaceId: String(workspaceId), ...more };
      return { sandbox: { name: 'Sandbox', type: 'socialPublishingApi', data } };
    },
    wire: () => current().requests.map(line),
  };
}

function line({ method, url, body }: LoggedRequest): string {
  return [method, url, ...(body.length > 0 ? [body.toString('utf8')] : [])].join(' ');
}
