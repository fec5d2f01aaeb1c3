import type { IDataObject } from 'n8n-workflow';

import { aheadOf, Progress } from '../idempotency/groups';
import type { Intent } from '../idempotency/intent';
import type { Done, Open } from '../idempotency/results';
import { isStopped } from '../service/client';
import { failed, type Outcome, succeeded } from '../service/outcome';
import { compared } from './answers';
import { commit, type Committed } from './commit';
import { fieldFailure } from './errors';
import { sendAll } from './lanes';
import { freeSlot, holdSlot, keepSlot } from './slotsInUse';
import { stillOpenFailure } from './uncertainty';
import { isLookedFor, leftOpen, sentFor, toSend, type Wanted, type WriteRun } from './wanted';

/** How many writes may be left open by a run that looks for them, before it sends no more. */
const MAX_OPEN = 20;

/** Commits and sends what items ask for, in their order, until one ends the run. */
export async function commitAndSend(run: WriteRun): Promise<void> {
  const { log, results } = run.memory;
  const unsent = new Set<Committed>();
  let leftToLook = 0;
  const commitGroup = async (group: readonly Wanted[]): Promise<readonly Committed[]> => {
    const committed = await commit(run, group);
    for (const one of committed) if (one.problem === undefined) unsent.add(one);
    return committed;
  };
  await sendAll(run.context, toSend(run), run.settings.concurrency, (items) => {
    const progress = new Progress();
    return {
      source: aheadOf(items, progress, commitGroup),
      send: async (committed: Committed) => {
        const { one } = committed;
        const wasOpen = one.before !== undefined;
        const outcome = await sendOne(run, committed, wasOpen, () => progress.pass(one));
        progress.pass(one);
        if (isStopped(outcome)) return outcome;
        unsent.delete(committed);
        one.outcome = outcome;
        const left = results.find(one.intent);
        const mayExist = !outcome.ok && outcome.failure.certainty === 'uncertain';
        if (mayExist && left?.state === 'open' && isLookedFor(run.operation, one)) {
          one.before = leftOpen(left);
          const concernsItemAlone = ++leftToLook <= MAX_OPEN;
          one.outcome = failed({ ...outcome.failure, concernsItemAlone });
        }
        return one.outcome;
      },
      close: () => progress.close(),
    };
  });
  for (const { one, entry } of unsent) {
    if (one.before !== undefined) continue;
    results.forget(one.intent);
    log?.end(entry, 'void');
  }
}

/**
 * Sends what was committed, and keeps what became of it.
 * @param wasOpen whether an earlier try may have carried it out
 * @param started called when the request goes out
 */
async function sendOne(
  { operation, itemWith, memory }: WriteRun,
  { one, entry, problem }: Committed,
  wasOpen: boolean,
  started: () => void,
): Promise<Outcome<IDataObject>> {
  if (problem !== undefined) return failed(wasOpen ? stillOpenFailure(problem) : problem);
  const { log, results } = memory;
  const { intent, item, before } = one;
  const open: Open = before?.open ?? { state: 'open' };
  const { destination } = intent;
  const slot = sentFor(intent);
  let sentAt: number | undefined;
  const keep = (became: Done | Open): void => results.keep(intent, entry, became);
  const guard = (): undefined => {
    sentAt ??= Date.now();
    holdSlot(memory, destination, slot);
    keep({ ...open, sentAt: open.sentAt ?? sentAt, ...sentTime(intent) });
    started();
  };
  const body = await completedBody(one);
  const answer = body.ok ? await item.service.write(operation.endpoint, body.value, guard) : body;
  const asked = { noun: operation.noun, body: body.ok ? body.value : {}, item: item.index };
  const outcome = compared(asked, answer, itemWith, Date.now());
  if (outcome.ok) {
    const { value: record, quota } = outcome;
    itemWith.set(record.id, item.index);
    keepSlot(destination, slot, record);
    const done: Done = { state: 'done', record, quota };
    keep(done);
    log?.end(entry, 'done', operation.lookedFor === 'moment' ? record.id : undefined);
    log?.remember(entry, done);
    return { ...outcome, value: structuredClone(record) };
  }
  const { failure } = outcome;
  const leftSince = failure.certainty === 'uncertain' ? sentAt : undefined;
  if (wasOpen || leftSince !== undefined) keepSlot(destination, slot);
  else freeSlot(memory, destination, slot);
  if (leftSince !== undefined) {
    const { message } = failure;
    const left = { ...open, message, sentAt: leftSince, endedAt: Date.now(), ...sentTime(intent) };
    keep(left);
    log?.ofTry.leftOpen.set(entry.full, { ...left, entry });
    return failed({ ...failure, lookFor: sentTime(intent) });
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

const sentTime = ({ scheduledAt }: Intent): { readonly scheduledAt?: string } =>
  scheduledAt === undefined ? {} : { scheduledAt };

/** The completed body. Copies of files are made only now, when it is about to be sent. */
async function completedBody({ asked }: Wanted): Promise<Outcome<IDataObject>> {
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
export async function resend(run: WriteRun, one: Wanted): Promise<Outcome<IDataObject>> {
  const [committed] = await commit(run, [one]);
  return await sendOne(run, committed!, false, () => undefined);
}
