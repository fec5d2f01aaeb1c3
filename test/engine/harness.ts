/**
 * The engine test harness: it runs workflows on `scripts/engine`, as `npm start` does: n8n-core's own
 * WorkflowExecute in this process, with n8n-core's own execution contexts, HTTP helpers, expressions
 * and credential encryption. The nodes and credential types under test are loaded from their sources.
 * The other nodes of a workflow are those of `harness/test-nodes.ts`: `test-nodes.start`,
 * `.editInPlace`, `.loop`, `.wait` and `.failWith`. Only n8n's database is missing. Encrypted
 * credentials are kept in a map instead.
 *
 * An example of a test:
 *
 *     const service = useSandbox();
 *
 *     test('...', async () => {
 *       service.sandbox.addPosts(3);
 *       const run = await service.run(readWorkflow('post.getAll'));
 *       expect(records(run, 'Get posts')).toEqual([...]);
 *       expect(service.wire()).toEqual(['GET /api/v1/posts?workspaceId=1&limit=100&offset=0']);
 *     });
 *
 * - A workflow is a JSON file in `workflows/`, as n8n exports it. Its nodes name a credential by ID.
 *   `withParameters` and `withNode` change one node. `creating` and `inARow` build one in the test.
 * - The run resolves when a node fails. `nodeError(run, name)` returns the error that the user sees.
 * - Retry On Fail, On Error and Execute Once are settings of a node: set them with `withNode`.
 * - A `test-nodes.loop` runs a node several times. `signal` stops an execution. `hooks` observe it.
 * - `from: retried(run)` with `mode: 'retry'` retries a failed execution. `from: resumed(run)` with
 *   the same `executionId` resumes a waiting execution.
 * - `searchList`, `loadOptions` and `testCredential` do what the editor does for pickers and saved credentials.
 * - `readLog` returns everything that n8n has logged in this test file, at level debug.
 *
 * Loading n8n-core takes some seconds per test file of jest, so that each has the tests of several files: see
 * `together.ts`. `npx jest test/engine/items -t costs` runs those of one.
 */
export {
  breakDeduplication,
  breakDeduplicationOf,
  cutOffDeduplication,
} from './harness/deduplication';
export { readLog } from './harness/instance';
export { additionalDataWith } from '../../scripts/engine/additional-data';
export { StoredCredentials } from '../../scripts/engine/credentials';
export type { CredentialEntries, CredentialEntry } from '../../scripts/engine/credentials';
export { storedCredentials } from './harness/credentials';
export { loadOptions, searchList, testCredential } from './harness/editor';
export type { SearchOptions } from './harness/editor';
export { KnownNodeTypes } from './harness/node-types';
export { hintsOf, items, nodeError, records } from '../../scripts/engine/results';
export { shortenWaits, skipWaitsBetweenTries } from './harness/waits';
export { nodesEnd } from './harness/under-way';
export { credentialsOf, useBakery, useSandbox } from './harness/sandbox';
export type { SandboxOfTest } from './harness/sandbox';
export { resumed, retried, runWorkflow } from './harness/run';
export type { RunOptions } from './harness/run';
export { creating, inARow, readWorkflow, withNode, withParameters } from './harness/workflows';
export type { EngineWorkflow as WorkflowFixture } from '../../scripts/engine/run';
export { callingTool, outcomeOf } from './harness/tools';
export type { Tool } from './harness/tools';
