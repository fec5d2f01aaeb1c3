import './instance';

import { type CredentialEntries, StoredCredentials } from '../../../scripts/engine/credentials';
import { credentialTypes } from './package-contents';

/** Credentials of the types under test, stored as n8n stores them. */
export const storedCredentials = (entries: CredentialEntries): Promise<StoredCredentials> =>
  StoredCredentials.of(entries, credentialTypes);
