import type { IDataObject } from 'n8n-workflow';

import { aheadOf, Progress } from '../idempotency/groups';
import type { Intent } from '../idempotency/intent';
import type { Done, Open } from '../idempotency/results';
import { isStopped } from '../service/client';
import { failed, type Failure, type Outcome, succeeded } from '../service/outcome';
import { compared } from './answers';
import { commit, type Committed, committedAs } from './commit';
import { fieldFailure } from './errors';
import { leftOpen, type Uncertain } from './openWrites';
import type { Outcomes } from './outcomes';
import { sendInGroups } from './send';
import { freeSlot, holdSlot, keepSlot } from './slotsInUse';
import { isLookedFor, type ToSend } from './sortOut';
import { stillOpenFailure } from './uncertainty';
import { sentFor, type Wanted, type WriteRun } from './wanted';

/** How many writes may be left open by a run that looks for them, before it sends no more. */
const MAX_OPEN = 20;

/** What came of what was sent. */
export interface Sent {
  readonly outcomes: Outcomes;
  /** What was left open and is to be looked for. */
  readonly toLook: readonly Uncertain[];
}

/** Commits and sends what items ask for, in their order, until one ends the run. */
export async function commitAndSend(run: WriteRun, toSend: readonly ToSend[]): Promise<Sent> {
  const { log, results } = run.memory;
  const outcomes = new Map<number, Outcome<IDataObject>>();
  const toLook: Uncertain[] = [];
  const unsent = new Set<Committed>();
  // Where one group may not be sent, none behind it may: its numbers would hide what stands there.
  let refused: Failure | undefined;
  const commitGroup = async (group: readonly ToSend[]): Promise<Committed[]> => {
    const committed =
      refused === undefined
        ? await commit(run, group)
        : group.map((one) => committedAs(one, undefined, refused));
    for (const one of committed) {
      if (one.problem === undefined) unsent.add(one);
      else if (one.problem.code !== 'wanted') refused = one.problem;
    }
    return committed;
  };
  const services = [...new Set(toSend.map(({ wanted: { service } }) => service))];
  const groups = services.map((service) => {
    const progress = new Progress();
    const own = toSend.filter(({ wanted }) => wanted.service === service);
    return {
      service,
      source: aheadOf(own, progress, commitGroup),
      send: async (one: Committed): Promise<Outcome<IDataObject>> => {
        const { wanted } = one;
        let outcome = await sendOne(run, one, () => progress.start());
        progress.end();
        if (isStopped(outcome)) return outcome;
        unsent.delete(one);
        const left = results.find(wanted.intent);
        if (
          !outcome.ok &&
          left?.state === 'open' &&
          isLookedFor(run.operation, wanted) &&
          mayExist(outcome)
        ) {
          toLook.push(leftOpen(wanted, left));
          const concernsItemAlone = toLook.length <= MAX_OPEN;
          outcome = failed({ ...outcome.failure, concernsItemAlone });
        }
        outcomes.set(wanted.index, outcome);
        return outcome;
      },
      close: () => progress.close(),
    };
  });
  await sendInGroups(run.context, groups, run.settings.concurrency);
  for (const { wanted, entry, wasOpen } of unsent) {
    if (wasOpen) continue;
    results.forget(wanted.intent);
    log?.end(entry, 'void');
  }
  return { outcomes, toLook };
}

const mayExist = (outcome: Outcome<unknown>): boolean =>
  outcome.ok || outcome.failure.certainty === 'uncertain';

/**
 * Sends what was committed, and keeps what became of it.
 * @param started called when the request goes out
 */
async function sendOne(
  { operation, itemWith, memory }: WriteRun,
  { wanted, entry, open, wasOpen, problem }: Committed,
  started: () => void,
): Promise<Outcome<IDataObject>> {
  if (problem !== undefined) return failed(wasOpen ? stillOpenFailure(problem) : problem);
  const { log, results } = memory;
  const { intent, service } = wanted;
  const { destination } = intent;
  const slot = sentFor(intent);
  let sentAt: number | undefined;
  const keep = (became: Done | Open): void => results.keep(intent, entry, became);
  const guard = async (): Promise<undefined> => {
    sentAt ??= Date.now();
    holdSlot(memory, destination, slot);
    keep({ ...open, sentAt: open.sentAt ?? sentAt, ...timeOf(intent) });
    started();
    return await Promise.resolve(undefined);
  };
  const body = await bodyOf(wanted);
  const answer = body.ok ? await service.write(operation.endpoint, body.value, guard) : body;
  const asked = { noun: operation.noun, body: body.ok ? body.value : {}, item: wanted.index };
  const outcome = compared(asked, answer, itemWith, Date.now());
  if (outcome.ok) {
    const { value: record, quota } = outcome;
    itemWith.set(record.id, wanted.index);
    keepSlot(destination, slot, record);
    keep({ state: 'done', record, quota });
    log?.end(entry, 'done', operation.lookedFor === 'moment' ? record.id : undefined);
    log?.remember(entry, { record, quota });
    return { ...outcome, value: structuredClone(record) };
  }
  const { failure } = outcome;
  const leftSince = failure.certainty === 'uncertain' ? sentAt : undefined;
  if (wasOpen || leftSince !== undefined) keepSlot(destination, slot);
  else freeSlot(memory, destination, slot);
  if (leftSince !== undefined) {
    const { message } = failure;
    const left = { ...open, message, sentAt: leftSince, endedAt: Date.now(), ...timeOf(intent) };
    keep(left);
    log?.leave(entry, left);
    return failed({ ...failure, lookFor: timeOf(intent) });
  }
  if (wasOpen) {
    keep(open);
    return isStopped(outcome) ? outcome : failed(stillOpenFailure(failure));
  }
  if (!isStopped(outcome)) {
    results.forget(intent);
    log?.end(entry, 'void');
  }
  return outcome;
}

const timeOf = ({ scheduledAt }: Intent): { readonly scheduledAt?: string } =>
  scheduledAt === undefined ? {} : { scheduledAt };

/** The completed body. Copies of files are made only now, when it is about to be sent. */
async function bodyOf({ asked }: Wanted): Promise<Outcome<IDataObject>> {
  try {
    return succeeded((await asked.complete?.()) ?? asked.body, {});
  } catch (error) {
    return failed(fieldFailure(error));
  }
}

/**
 * Sends once more what the service certainly doesn't have.
 * @returns what came of it; uncertain when another retry has sent it
 */
export async function resend(run: WriteRun, again: Uncertain): Promise<Outcome<IDataObject>> {
  const [committed] = await commit(run, [{ wanted: again.wanted, again }]);
  return await sendOne(run, { ...committed!, wasOpen: false }, () => undefined);
}
