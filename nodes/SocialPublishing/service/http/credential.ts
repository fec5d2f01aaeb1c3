import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { bareKey } from '../../../shared/apiKey';
import { parseUrl } from '../../../shared/url';

export const CREDENTIAL_TYPE = 'socialPublishingApi';

/** The decrypted `socialPublishingApi` credential, ready for requests. */
export interface ServiceCredential {
  /** An http or https URL without trailing slashes, query or fragment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The workspace as the user wrote it; empty when there is none. */
  readonly workspaceId: string;
  /** As n8n decrypted it, with `baseUrl` and `apiKey` as above, for n8n's own authentication. */
  readonly data: ICredentialDataDecryptedObject;
}

/** Stands for the address and the key where the key itself must not be: a hash of both. */
export const keyOf = ({ baseUrl, apiKey }: Pick<ServiceCredential, 'baseUrl' | 'apiKey'>): string =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey]))
    .digest('hex');

/** Whether the credential is the same for all items: a hidden field of it says so. */
export const isSameForAllItems = (data: ICredentialDataDecryptedObject): boolean =>
  data.isSameForAllItems === true;

/** What is wrong with a credential: the field as the user sees it, the problem, and what to do. */
export interface CredentialProblem {
  readonly name: 'baseUrl' | 'apiKey';
  readonly field: string;
  readonly problem: string;
  readonly solution: string;
}

const wrongIn =
  (name: CredentialProblem['name'], field: string) =>
  (problem: string, solution: string): CredentialProblem => ({ name, field, problem, solution });

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const EXAMPLE = 'https://social.example.com/api/v1';

/** The value itself is never quoted: people paste the key into the wrong field. */
function checkedBaseUrl(value: string): string | CredentialProblem {
  const wrong = wrongIn('baseUrl', 'Base URL');
  if (value === '')
    return wrong('is empty', `Enter the address of the service, such as ${EXAMPLE}.`);
  // Without this, "localhost:3000" would be a URL of the protocol "localhost".
  if (!/^(https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(value)) {
    return wrong('is not a whole address', `Begin with https://, as in ${EXAMPLE}.`);
  }
  const url = parseUrl(value);
  if (url === undefined) return wrong('is not a valid address', `Enter it as in ${EXAMPLE}.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return wrong('is not an http or https address', 'Begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    return wrong('contains a user name or a password', 'Remove what is before the @.');
  }
  if (url.search !== '' || url.hash !== '') {
    return wrong(
      'goes on after its path, like the address of a web page',
      'The address of the service ends in /api/v1: remove everything from the ? or # onward.',
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Cleans a decrypted credential of what was pasted along (docs/service.md, "Authentication"). */
export function readCredential(
  data: ICredentialDataDecryptedObject,
): ServiceCredential | CredentialProblem {
  const baseUrl = checkedBaseUrl(text(data.baseUrl));
  if (typeof baseUrl !== 'string') return baseUrl;
  const apiKey = bareKey(text(data.apiKey));
  const wrong = wrongIn('apiKey', 'API Key');
  if (apiKey === '') {
    return wrong('is empty', "Copy the key from the service's dashboard under Settings, API Keys.");
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    return wrong(
      'contains a space or another invalid character',
      'Copy the key again, and nothing else.',
    );
  }
  return {
    baseUrl,
    apiKey,
    workspaceId: text(data.workspaceId),
    data: { ...data, baseUrl, apiKey },
  };
}
