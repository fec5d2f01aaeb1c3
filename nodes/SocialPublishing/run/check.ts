import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../operations/operation';
import { resolveCredentials } from '../parameters/credentials';
import { FieldReader } from '../parameters/fieldReader';
import { Item } from '../parameters/item';
import { Parameters } from '../parameters/parameters';
import type { ServiceCredential } from '../service/http/credential';
import { inParallel } from '../service/inParallel';
import type { Failure } from '../service/outcome';
import { Service } from '../service/service';
import { breather } from './breath';
import { fieldFailure } from './errors';
import { readSettings, type Settings, settingsWithoutItems } from './settings';

/** How many items are checked at the same time: some read what their fields name. */
const CHECKED_AT_ONCE = 8;

/** An item that cannot be sent. */
export interface Refused {
  readonly index: number;
  readonly failure: Failure;
  /** The item, where its credential could be read. */
  readonly of?: Item;
}

/** The items of a run before their fields are read. */
export interface Input {
  readonly items: ReadonlyArray<Item | Refused>;
  readonly settings: Settings;
}

/** An item whose fields were read. */
export interface Checked<Asked> {
  readonly item: Item;
  readonly asked: Asked;
}

const isRefused = (one: object): one is Refused => 'failure' in one;

/**
 * Resolves the credential of each item and the options that hold for the whole run. Items with the same
 * credential share a {@link Service}; a wait for one credential doesn't delay the others.
 * @param store where to keep what is known of the quota, for later runs of the execution
 */
export async function readInput(
  context: IExecuteFunctions,
  { fields }: Operation,
  store: IDataObject,
): Promise<Input> {
  const credentials = await resolveCredentials(context, context.getInputData().length);
  const services = new Map<string, Service>();
  let settings: Settings | undefined;
  const serviceFor = (credential: ServiceCredential, chosen: Settings): Service => {
    const key = JSON.stringify([credential.baseUrl, credential.apiKey]);
    const service = services.get(key) ?? new Service(context, credential, chosen, store);
    services.set(key, service);
    return service;
  };
  const parameters = new Parameters(context);
  const run = { context, parameters, fields, now: Date.now() };
  const breathe = breather();
  const items: Array<Item | Refused> = [];
  for (const [index, readCredential] of credentials.entries()) {
    await breathe();
    try {
      const credential = readCredential();
      settings = readSettings(new FieldReader(parameters, fields, index), settings);
      items.push(new Item(run, index, credential, serviceFor(credential, settings)));
    } catch (error) {
      items.push({ index, failure: fieldFailure(error) });
    }
  }
  return { items, settings: settings ?? settingsWithoutItems(parameters) };
}

/** Reads the fields of every item; writes nothing. */
export async function check<Asked>(
  items: Input['items'],
  ask: (item: Item) => Asked | Promise<Asked>,
): Promise<{ ready: Array<Checked<Asked>>; refused: Refused[] }> {
  const checked: Array<Checked<Asked> | Refused> = [];
  const breathe = breather();
  await inParallel(items, CHECKED_AT_ONCE, async (one) => {
    await breathe();
    try {
      checked[one.index] = isRefused(one) ? one : { item: one, asked: await ask(one) };
    } catch (error) {
      checked[one.index] = { index: one.index, failure: fieldFailure(error), of: one as Item };
    }
  });
  return {
    ready: checked.flatMap((one) => (isRefused(one) ? [] : [one])),
    refused: checked.filter(isRefused),
  };
}
