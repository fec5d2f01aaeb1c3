import type {
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';

import { probe } from '../transport/probe';

/**
 * Tests a `socialPublishingApi` credential with one real request, and tells a wrong key, a wrong
 * address and an unreachable service apart (specification, "Authentication").
 */
export async function socialPublishingApiTest(
  this: ICredentialTestFunctions,
  credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const problem = await probe(this, credential.data ?? {});
  return problem === undefined
    ? { status: 'OK', message: 'The service accepted the API key' }
    : { status: 'Error', message: problem };
}
