/**
 * The engine test harness: it runs workflows with n8n-core's own WorkflowExecute in this process,
 * with n8n-core's own execution contexts, HTTP helpers, expressions and credential encryption. The
 * nodes and credential types under test come from their sources; the few nodes around them are in
 * `harness/test-nodes.ts` and have types of their own (`test-nodes.start`, `.editInPlace`, `.loop`,
 * `.wait`, `.failWith`). Only n8n's database is missing: credentials live, encrypted, in a map.
 *
 * A test reads like this:
 *
 *     const service = useSandbox();
 *
 *     test('...', async () => {
 *       service.sandbox.addPosts(3);
 *       const run = await runWorkflow(readWorkflow('post.getAll'), {
 *         credentials: service.credentials(),
 *         input: [{}],
 *       });
 *       expect(records(run, 'Get posts')).toEqual([...]);
 *       expect(service.wire()).toEqual(['GET /api/v1/posts?workspaceId=1&limit=100&offset=0']);
 *     });
 *
 * - A workflow is a JSON file in `workflows/`, as n8n exports it; its nodes name a credential by id.
 *   `withParameters` and `withNode` vary one node of it, and `inARow` makes a small one in the test.
 * - A node that fails doesn't reject the run: `nodeError(run, name)` has what its user sees.
 * - Retry On Fail, On Error and Execute Once are settings of a node: `withNode`. A `test-nodes.loop`
 *   runs a node several times. `signal` stops an execution, `hooks` watch it.
 * - `from: retried(run)` with `mode: 'retry'` does what retrying a failed execution does, and
 *   `from: resumed(run)` with the same `executionId` what resuming a waiting one does.
 * - `searchList` and `testCredential` do what the editor does with pickers and saved credentials.
 * - `readLog` has all that n8n logged in this test file, at level debug.
 *
 * Loading n8n-core takes some seconds per test file: few files with many tests run faster.
 */
export { readLog } from './harness/instance';
export { additionalDataWith } from './harness/additional-data';
export { StoredCredentials } from './harness/credentials';
export type { CredentialEntries, CredentialEntry } from './harness/credentials';
export { searchList, testCredential } from './harness/editor';
export type { SearchOptions } from './harness/editor';
export { KnownNodeTypes } from './harness/node-types';
export { items, nodeError, records } from './harness/results';
export { useSandbox } from './harness/sandbox';
export type { SandboxOfTest } from './harness/sandbox';
export { resumed, retried, runWorkflow } from './harness/run';
export type { RunOptions } from './harness/run';
export { inARow, readWorkflow, withNode, withParameters } from './harness/workflows';
export type { WorkflowFixture } from './harness/workflows';
