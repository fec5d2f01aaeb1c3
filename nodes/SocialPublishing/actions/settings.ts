import type { ServiceSettings } from '../transport/service';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from './fields';
import type { Item } from './item';

/** What the options say about one run of the node. */
export interface Settings extends ServiceSettings {
  /** Whether each record comes with the quota. */
  readonly includeQuota: boolean;
}

/**
 * Reads the options that hold for all items of a run.
 *
 * @param item the first item, as n8n resolves options with it
 * @throws FieldError for a value that makes no sense
 */
export function readSettings(item: Item): Settings {
  const path = 'options.concurrency';
  const concurrency = item.positiveInteger(path) ?? DEFAULT_CONCURRENCY;
  if (concurrency > MAX_CONCURRENCY) {
    item.refuse(
      path,
      `is ${concurrency}, which is too large`,
      `Give a number of at most ${MAX_CONCURRENCY}.`,
    );
  }
  return {
    concurrency,
    keepRequests: item.integer('options.keepRequests'),
    resendUncertain: item.value('options.resendUncertain') === true,
    includeQuota: item.value('options.includeQuota') === true,
  };
}
