import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/json';
import type { ServiceCredential } from '../http/credential';

interface QuotaEntry {
  readonly left: number;
  /** When the quota is renewed, in Unix milliseconds. */
  readonly until: number;
}

const isQuotaEntry = (value: unknown): value is QuotaEntry =>
  isObject(value) && typeof value.left === 'number' && typeof value.until === 'number';

/**
 * The quota of one credential, as the service reported it earlier in the execution. A later try or
 * round of the node then needs no request to learn that it must not send any.
 */
export class StoredQuota {
  private readonly key: string;

  /** @param store n8n's context of the node, which lives as long as the execution */
  constructor(
    private readonly store: IDataObject,
    { baseUrl, apiKey }: ServiceCredential,
  ) {
    // n8n saves the context with the execution, and the key must not be in there.
    const hash = createHash('sha256').update(JSON.stringify([baseUrl, apiKey]));
    this.key = `quota:${hash.digest('hex').slice(0, 16)}`;
  }

  /**
   * @param now Unix milliseconds
   * @returns how many requests are left; `undefined` when no response said so, or the quota was
   * renewed since then
   */
  left(now: number): number | undefined {
    const entry = this.store[this.key];
    return isQuotaEntry(entry) && now < entry.until ? entry.left : undefined;
  }

  /** @param until when the quota is renewed, in Unix milliseconds */
  remember(left: number, until: number): void {
    this.store[this.key] = { left, until };
  }
}
