import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { parseUrl } from '../../../shared/url';

export const CREDENTIAL_TYPE = 'socialPublishingApi';

/** The decrypted `socialPublishingApi` credential, ready for requests. */
export interface ServiceCredential {
  /** An http or https URL without trailing slashes, query or fragment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The workspace as the user wrote it; empty when there is none. */
  readonly workspaceId: string;
  /** As n8n decrypted it, with `baseUrl` and `apiKey` trimmed, for n8n's own authentication. */
  readonly data: ICredentialDataDecryptedObject;
}

/**
 * Whether the decrypted credential is the same for all items: nothing in it is an expression that may
 * give another value for the next one. The credential type finds out.
 */
export const isSameForAllItems = (data: ICredentialDataDecryptedObject): boolean =>
  data.isSameForAllItems === true;

/** What is wrong with a credential: the field as the user sees it, and the problem. */
export interface CredentialProblem {
  readonly field: string;
  readonly problem: string;
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** The value itself is never quoted: people paste the key into the wrong field. */
function checkedBaseUrl(value: string): string | CredentialProblem {
  const field = 'Base URL';
  if (value === '') return { field, problem: 'is empty' };
  const url = parseUrl(value);
  if (url === undefined) return { field, problem: 'is not a URL' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { field, problem: 'is not an http or https URL' };
  }
  if (url.username !== '' || url.password !== '') {
    return { field, problem: 'must not contain a user name or a password' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { field, problem: 'must not have anything after its path' };
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * Reads the `socialPublishingApi` credential (docs/service.md, "Authentication").
 *
 * @param data the decrypted credential: `{ baseUrl, apiKey, workspaceId }`
 * @returns the credential without stray blanks and slashes, or what is wrong with it
 */
export function readCredential(
  data: ICredentialDataDecryptedObject,
): ServiceCredential | CredentialProblem {
  const baseUrl = checkedBaseUrl(text(data.baseUrl));
  if (typeof baseUrl !== 'string') return baseUrl;
  const apiKey = text(data.apiKey);
  if (apiKey === '') return { field: 'API Key', problem: 'is empty' };
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    return {
      field: 'API Key',
      problem: 'contains a space or another invalid character',
    };
  }
  return {
    baseUrl,
    apiKey,
    workspaceId: text(data.workspaceId),
    data: { ...data, baseUrl, apiKey },
  };
}
