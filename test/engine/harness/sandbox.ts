import type { ICredentialDataDecryptedObject, IDataObject, IRun } from 'n8n-workflow';

import type { LoggedRequest, Sandbox, SandboxOptions } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import type { CredentialEntries } from '../../../scripts/engine/credentials';
import type { EngineWorkflow } from '../../../scripts/engine/run';
import { addAccount } from '../../support/records';
import { type RunOptions, runWorkflow } from './run';

/** A sandbox that is started before each test and closed after it. */
export interface SandboxOfTest {
  readonly sandbox: Sandbox;
  /** The credential `sandbox` that the files in `workflows/` use. Its API key is on the Pro plan. */
  credentials(more?: ICredentialDataDecryptedObject): CredentialEntries;
  /** Runs a workflow with that credential: see `runWorkflow`. */
  readonly run: (
    workflow: EngineWorkflow,
    input?: IDataObject[],
    options?: RunOptions,
  ) => Promise<IRun>;
  /** The methods of the requests so far. */
  readonly methods: () => string[];
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
  const credentials = (more?: ICredentialDataDecryptedObject) => credentialsOf(current(), more);
  return {
    get sandbox() {
      return current();
    },
    credentials,
    run: (workflow, input = [{}], options = {}) =>
      runWorkflow(workflow, { credentials: credentials(), input, ...options }),
    methods: () => current().requests.map(({ method }) => method),
    wire: () => current().requests.map(line),
  };
}

/** Does the same, with the account 1 in the workspace: "X: Blue Door Bakery (@bakery)". */
export function useBakery(): SandboxOfTest {
  const service = useSandbox();
  beforeEach(() => addAccount(service.sandbox));
  return service;
}

/** The credential that the workflows in `workflows/` name. */
export const credentialsOf = (
  { baseUrl, keys, workspaceId }: Sandbox,
  more: ICredentialDataDecryptedObject = {},
): CredentialEntries => ({
  sandbox: {
    name: 'Sandbox',
    type: 'socialPublishingApi',
    data: { baseUrl, apiKey: keys.pro, workspaceId: String(workspaceId), ...more },
  },
});

function line({ method, url, body }: LoggedRequest): string {
  return [method, url, ...(body.length > 0 ? [body.toString('utf8')] : [])].join(' ');
}
