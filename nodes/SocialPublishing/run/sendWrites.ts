import type { IDataObject } from 'n8n-workflow';

import { aheadOf, Progress } from '../idempotency/groups';
import type { Intent } from '../idempotency/intent';
import type { Entry } from '../idempotency/log';
import { ALL_ACCOUNTED, type Recognized } from '../idempotency/recognize';
import type { Done, Open } from '../idempotency/results';
import { LEASE_MS } from '../idempotency/tolerances';
import { isStopped } from '../service/client';
import { failed, type Failure, type Outcome, succeeded } from '../service/outcome';
import { compared } from './answers';
import { commit, commitAttempt, type Committed, committedAs, takeBack } from './commit';
import { fieldFailure } from './errors';
import { leftOpen, type Uncertain } from './openWrites';
import type { Outcomes } from './report';
import { sendInGroups } from './send';
import { isLookedFor, type ToSend } from './sortOut';
import { stillOpenFailure } from './uncertainty';
import { aboutOf, placeOf, type Wanted, type WriteRun } from './wanted';

/** How many writes may be left open by a run that looks for them, before it sends no more. */
const MAX_OPEN = 20;

/** What came of what was sent. */
export interface Sent {
  readonly outcomes: Outcomes;
  /** What was left open and is to be looked for. */
  readonly toLook: readonly Uncertain[];
}

/**
 * Commits and sends what items ask for, in their order, until one ends the run.
 *
 * @param unaccounted the entries of the log that nobody accounts for
 */
export async function commitAndSend(
  run: WriteRun,
  toSend: readonly ToSend[],
  unaccounted: Recognized['unaccounted'],
): Promise<Sent> {
  const outcomes = new Map<number, Outcome<IDataObject>>();
  const toLook: Uncertain[] = [];
  const unsent = new Set<Entry>();
  // A later group would be counted after one that isn't there: a gap, beyond which no retry looks.
  let notLogged: Failure | undefined;
  const commitGroup = async (group: readonly ToSend[]): Promise<Committed[]> => {
    const problem = notLogged;
    if (problem !== undefined) return group.map((one) => ({ ...committedAs(one), problem }));
    const committed = await commit(run, group, unaccounted);
    for (const one of committed) {
      const certainty = one.problem?.certainty;
      if (one.entry !== undefined && certainty !== 'uncertain') unsent.add(one.entry);
      if (certainty === 'notSent') notLogged = one.problem;
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
        const { wanted, entry } = one;
        let outcome = await sendOne(run, one, () => progress.start());
        progress.end();
        if (isStopped(outcome)) return outcome;
        if (entry !== undefined && mayExist(outcome)) unsent.delete(entry);
        const left = run.memory.results.find(placeOf(wanted.intent));
        if (!outcome.ok && left?.state === 'open' && isLookedFor(wanted) && mayExist(outcome)) {
          toLook.push(leftOpen(wanted, left, true));
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
  await takeBack([...unsent], run.memory, unaccounted);
  return { outcomes, toLook };
}

const mayExist = (outcome: Outcome<unknown>): boolean =>
  outcome.ok || outcome.failure.certainty === 'uncertain';

/**
 * Sends what was committed, and keeps what became of it.
 *
 * @param started called when the request goes out
 */
async function sendOne(
  { operation, itemWith, memory: { log, results } }: WriteRun,
  committed: Committed,
  started: () => void,
): Promise<Outcome<IDataObject>> {
  const { wanted, number, wasOpen, problem } = committed;
  const { intent, service } = wanted;
  let { attempts, committedAt } = committed;
  let sentAt: number | undefined;
  const keep = (became: Done | Open): void => {
    results.keep(aboutOf(wanted, number, attempts), became);
  };
  const guard = async (): Promise<Failure | undefined> => {
    if (log !== undefined && Date.now() - committedAt > LEASE_MS) {
      attempts++;
      const refused = await commitAttempt({ ...committed, attempts }, log, operation);
      if (refused !== undefined) return refused;
      committedAt = Date.now();
    }
    sentAt ??= Date.now();
    keep({ ...committed.open, sentAt: committed.open.sentAt ?? sentAt, ...timeOf(intent) });
    started();
    return undefined;
  };
  const body = problem === undefined ? await bodyOf(wanted) : failed(problem);
  const answer = body.ok ? await service.write(operation.endpoint, body.value, guard) : body;
  const asked = { noun: operation.noun, body: body.ok ? body.value : {}, item: wanted.index };
  const outcome = compared(asked, answer, itemWith, Date.now());
  if (outcome.ok) {
    itemWith.set(outcome.value.id, wanted.index);
    keep({ state: 'done', record: outcome.value, quota: outcome.quota });
    return { ...outcome, value: structuredClone(outcome.value) };
  }
  const { failure } = outcome;
  if (failure.certainty === 'uncertain' && sentAt !== undefined) {
    const { message } = failure;
    keep({ ...committed.open, message, sentAt, endedAt: Date.now(), ...timeOf(intent) });
    return failed({ ...failure, lookFor: timeOf(intent) });
  }
  if (wasOpen) {
    keep(committed.open);
    return isStopped(outcome) ? outcome : failed(stillOpenFailure(failure));
  }
  // What is to be taken back keeps its number until then, or the next group would get it again.
  if (committed.entry === undefined || failure.certainty === 'uncertain') {
    results.forget(placeOf(intent));
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
 *
 * @returns what came of it; uncertain when another retry has sent it
 */
export async function resend(run: WriteRun, again: Uncertain): Promise<Outcome<IDataObject>> {
  const [committed] = await commit(run, [{ wanted: again.wanted, again }], ALL_ACCOUNTED);
  return await sendOne(run, { ...committed!, wasOpen: false }, () => undefined);
}
