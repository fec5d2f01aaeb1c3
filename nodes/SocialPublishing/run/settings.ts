import { MAX_CONCURRENCY } from '../operations/fields';
import type { Item } from '../parameters/item';
import type { ServiceSettings } from '../service/service';

/** What the options say about one run of the node. */
export interface Settings extends ServiceSettings {
  /** Whether each record comes with the quota. */
  readonly includeQuota: boolean;
}

/** The settings of a user who chose no option. */
export const DEFAULT_SETTINGS: Settings = {
  concurrency: MAX_CONCURRENCY,
  keepRequests: undefined,
  includeQuota: false,
};

/**
 * Reads the options that hold for all items of a run.
 *
 * @param item the first item, as n8n resolves options with it
 * @throws FieldError for a value that makes no sense
 */
export function readSettings(item: Item): Settings {
  const path = 'options.concurrency';
  const concurrency = item.positiveInteger(path) ?? DEFAULT_SETTINGS.concurrency;
  if (concurrency > MAX_CONCURRENCY) {
    item.refuse(
      path,
      `is ${concurrency}, which is too large`,
      `Enter a number of at most ${MAX_CONCURRENCY}.`,
    );
  }
  return {
    concurrency,
    keepRequests: item.integer('options.keepRequests'),
    includeQuota: item.switch('options.includeQuota'),
  };
}
