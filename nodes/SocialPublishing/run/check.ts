import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getAll as accounts } from '../operations/account/getAll.operation';
import type { Operation } from '../operations/operation';
import { resolveCredentials } from '../parameters/credentials';
import { Item, type ReadAccounts, type ReadPosts } from '../parameters/item';
import { Parameters } from '../parameters/parameters';
import type { ServiceCredential } from '../service/http/credential';
import { inParallel } from '../service/inParallel';
import type { Failure, Outcome } from '../service/outcome';
import { Service } from '../service/service';
import { breather } from './breath';
import { fieldFailure, LookupError } from './errors';
import { DEFAULT_SETTINGS, readSettings, type Settings, settingsWithoutItems } from './settings';

/** How many items are checked at the same time: some read what their fields name. */
const CHECKED_AT_ONCE = 8;

/** An item, and the service that its credential is for. */
export interface ItemOfRun {
  readonly index: number;
  readonly item: Item;
  readonly service: Service;
}

/** An item that cannot be sent. */
export interface Refused {
  readonly index: number;
  readonly failure: Failure;
  /** The item, where its credential could be read. */
  readonly of?: ItemOfRun;
}

/** The items of a run before their fields are read. */
export interface Input {
  readonly items: ReadonlyArray<ItemOfRun | Refused>;
  readonly settings: Settings;
}

/** An item whose fields were read. */
export type Checked<Asked> = ItemOfRun & { readonly asked: Asked };

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
  const serviceFor = (credential: ServiceCredential): Service => {
    const key = JSON.stringify([credential.baseUrl, credential.apiKey]);
    const service =
      services.get(key) ?? new Service(context, credential, settings ?? DEFAULT_SETTINGS, store);
    services.set(key, service);
    return service;
  };
  const readAccounts: ReadAccounts = async (workspaceId, credential) =>
    valueOf(await serviceFor(credential).readOnce(accounts.endpoint, { query: { workspaceId } }));
  const readPosts: ReadPosts = async (workspaceId, credential) =>
    valueOf(await serviceFor(credential).scheduledPosts(workspaceId));
  const parameters = new Parameters(context);
  const run = {
    context,
    parameters,
    fields,
    now: Date.now(),
    readAccounts,
    readPosts,
  };
  const breathe = breather();
  const items: Array<ItemOfRun | Refused> = [];
  for (const [index, readCredential] of credentials.entries()) {
    await breathe();
    try {
      const credential = readCredential();
      const item = new Item(run, index, credential);
      settings = readSettings(item, settings);
      items.push({ index, item, service: serviceFor(credential) });
    } catch (error) {
      items.push({ index, failure: fieldFailure(error) });
    }
  }
  return { items, settings: settings ?? settingsWithoutItems(parameters) };
}

/** @throws LookupError for what could not be read */
function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new LookupError(outcome.failure);
}

/** Reads the fields of every item; writes nothing. */
export async function check<Asked>(
  items: Input['items'],
  ask: (one: ItemOfRun) => Asked | Promise<Asked>,
): Promise<{ ready: Array<Checked<Asked>>; refused: Refused[] }> {
  const checked: Array<Checked<Asked> | Refused> = [];
  const breathe = breather();
  await inParallel(items, CHECKED_AT_ONCE, async (one) => {
    await breathe();
    try {
      checked[one.index] = isRefused(one) ? one : { ...one, asked: await ask(one) };
    } catch (error) {
      checked[one.index] = { index: one.index, failure: fieldFailure(error), of: one as ItemOfRun };
    }
  });
  return {
    ready: checked.flatMap((one) => (isRefused(one) ? [] : [one])),
    refused: checked.filter(isRefused),
  };
}
