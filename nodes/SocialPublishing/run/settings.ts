import { MAX_CONCURRENCY } from '../operations/options';
import type { FieldReader } from '../parameters/fieldReader';
import type { Parameters } from '../parameters/parameters';
import { quote } from '../parameters/values';
import type { ServiceSettings } from '../service/service';

/** What the options say about one run of the node. */
export interface Settings extends ServiceSettings {
  /** Whether each record comes with the quota. */
  readonly includeQuota: boolean;
  /** Whether each item of the output has the fields of its input item, too. */
  readonly includeInputFields: boolean;
}

/** The settings of a user who chose no option, by the names of the options. */
const DEFAULT_SETTINGS: Settings = {
  concurrency: MAX_CONCURRENCY,
  keepRequests: undefined,
  includeQuota: false,
  includeInputFields: false,
};

/**
 * Reads the options that hold for all items of a run.
 * @param first what the first item says, when it is another one: it must not say otherwise
 * @throws FieldError for a value that makes no sense, or another one than the first item has
 */
export function readSettings(item: FieldReader, first?: Settings): Settings {
  const concurrency = item.positiveInteger('options.concurrency') ?? MAX_CONCURRENCY;
  if (concurrency > MAX_CONCURRENCY) {
    item.refuse(
      'options.concurrency',
      `is ${concurrency}, which is too large`,
      `Enter a number of at most ${MAX_CONCURRENCY}.`,
    );
  }
  const settings: Settings = {
    concurrency,
    keepRequests: item.integer('options.keepRequests'),
    includeQuota: item.switch('options.includeQuota'),
    includeInputFields: item.switch('options.includeInputFields'),
  };
  for (const name of first === undefined ? [] : NAMES) {
    if (settings[name] === first?.[name]) continue;
    item.refuse(
      `options.${name}`,
      `is ${quote(settings[name] ?? '')} here and ${quote(first?.[name] ?? '')} for an item before`,
      'It holds for the whole run. Enter a value, or an expression that gives the same for all items.',
    );
  }
  return settings;
}

const NAMES = Object.keys(DEFAULT_SETTINGS) as Array<keyof Settings>;

/**
 * The settings of a run none of whose items could be read: what the user entered for the items that
 * failed holds all the same.
 */
export const settingsWithoutItems = (parameters: Parameters): Settings => ({
  ...DEFAULT_SETTINGS,
  includeInputFields: parameters.entered('options.includeInputFields') === true,
});
