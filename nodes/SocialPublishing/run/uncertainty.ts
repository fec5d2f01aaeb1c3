import type { Why } from '../idempotency/rule';
import type { Reason } from '../idempotency/settle';
import type { WriteOperation } from '../operations/operation';
import type { Failure, LookFor } from '../service/outcome';
import { capitalized, quoted, sentences } from '../service/words';

/** Words for writes that an earlier try may have carried out. */

/** Why it is not certain that a write was never carried out. */
export interface Doubt {
  /**
   * `leftOpen`: an earlier try sent it, and it is not known what became of it. `notRecorded`: n8n can't
   * tell what an earlier try sent. `elsewhere`: another retry of the execution is sending it, or has sent
   * it again. `wanted`: an execution of the node was to send it alone, and it isn't there.
   */
  readonly kind: 'leftOpen' | 'notRecorded' | 'elsewhere' | 'wanted' | Why;
  readonly said?: string | undefined;
}

const NOT_SENT_AGAIN =
  'An earlier try in this execution may or may not have carried this out, so it was not sent again';

const because = (...told: readonly [message: string, description: string]) => told;

/** What is told of each doubt. @param said how the earlier try ended, or what n8n's database said */
const toldOf = (noun: string, said?: string) => ({
  leftOpen: because(
    NOT_SENT_AGAIN,
    said === undefined
      ? 'It was interrupted, or the execution was stopped.'
      : `It ended with: ${quoted(said)}.`,
  ),
  otherWords: because(
    `This may be a ${noun} that an earlier try in this execution sent in other words, so it was not sent`,
    `The earlier try sent more ${noun}s than this one has items for.`,
  ),
  cutLog: because(
    `The log no longer has all that this execution sent, so this ${noun} was not sent`,
    'Later posts of this node have pushed the rest out. An earlier try in this execution may have carried this out.',
  ),
  repeatedCall: because(
    NOT_SENT_AGAIN,
    'n8n has called this sub-workflow before with the same items, and may be calling it again. A retry of this execution resolves it.',
  ),
  runningCall: because(
    NOT_SENT_AGAIN,
    'n8n has called this sub-workflow before with the same items, and that call is still running. Wait until it has ended.',
  ),
  unreadCall: because(
    NOT_SENT_AGAIN,
    'n8n has not saved the executions of this sub-workflow, so it is not known which of them sent it.',
  ),
  notRecorded: because(
    NOT_SENT_AGAIN,
    `n8n could not tell what the earlier try sent: ${quoted(said ?? '')}.`,
  ),
  elsewhere: because(
    `Another retry of this execution sends this ${noun}, so it was not sent here`,
    'Wait until the other retry has ended.',
  ),
  wanted: because(
    `Another run of this node has sent this ${noun}, or is sending it, so it was not sent here`,
    `The service does not show it: the other run got no answer yet, or the ${noun} was deleted.`,
  ),
});

/** What to do next, with the option as the user sees it. */
function whatToDo(kind: Doubt['kind'], { noun, lookedFor }: Kind): string {
  const option = `Uncertain ${capitalized(noun)}s`;
  return lookedFor === 'moment' && kind !== 'wanted'
    ? `Look in the service. Or set the option ${option} to Look in the Service or to Send Again, and retry this execution with the saved workflow.`
    : `Look in the service. If it is missing there, set the option ${option} to Send Again and retry this execution with the saved workflow.`;
}

/** What an AI model does next: it can't set options. */
const WHAT_A_MODEL_DOES =
  'Do not call this again for it. Read the posts and tell the user to look in the service.';

/** What is written, for words. */
export type Kind = Pick<WriteOperation, 'noun' | 'lookedFor'>;

/** The failure for what an earlier try may have carried out, and was not sent. */
export const heldFailure = (doubt: Doubt, kind: Kind, lookFor?: LookFor): Failure => {
  const [message, description] = toldOf(kind.noun, doubt.said)[doubt.kind];
  return {
    code: doubt.kind,
    message,
    description: sentences(description, whatToDo(doubt.kind, kind)),
    forModel: sentences(description, WHAT_A_MODEL_DOES),
    certainty: 'uncertain',
    concernsItemAlone: true,
    ...(lookFor === undefined ? {} : { lookFor }),
  };
};

/**
 * The failure for an item that can't be read, while `count` writes of an earlier try are not
 * accounted for.
 */
export const unreadableFailure = (failure: Failure, count: number, noun: string): Failure => ({
  ...failure,
  description: sentences(
    failure.description,
    `Nothing was sent for this item now. An earlier try in this execution may have sent it: ${count} ${noun}${count === 1 ? '' : 's'} of it may exist. Look in the service.`,
  ),
  certainty: 'uncertain',
});

/** The failure for a write that can't be logged, and so must not be sent. */
export const notLoggedFailure = (problem: string): Failure => ({
  code: 'notLogged',
  message: 'n8n could not write down what is about to be sent, so it was not sent',
  description: sentences(
    `n8n's database said: ${quoted(problem)}.`,
    /foreign key/i.test(problem)
      ? 'If this is a sub-workflow that is given as JSON, remove the "id" from it.'
      : 'Run this again when the database of n8n works.',
  ),
  certainty: 'notSent',
});

const REASONS: Readonly<Record<Reason, string>> = {
  unknownTime:
    'it is not known when it was sent, or for which time, so its post cannot be recognized',
  changingTime: 'its time is different on each try, so its post cannot be recognized',
  fewerPosts: 'there are fewer posts for this time than were sent',
  otherPosts:
    'there are other posts for the same time, or this one was created at another time than it was sent',
  postNearby: 'there is a post close to this time that nothing in this execution accounts for',
  incomplete: 'the posts could not all be read',
  incomparable: 'the service returned a post without a usable workspace or time',
  notThereYet: 'there is no post for this time yet',
  timePassed: 'its time has passed, and there is no post for it',
};

const stillUncertain = (why: string): string =>
  `The node looked in the service, but it is still not certain: ${why}.`;

/** The failure for a write that the service could not tell about. */
export const notSettledFailure = (
  message: string | undefined,
  why: Reason | { readonly problem: string },
  lookFor: LookFor,
): Failure => {
  const reason = typeof why === 'string' ? REASONS[why] : why.problem;
  const doubt = `${stillUncertain(reason)} It was not sent again.`;
  return {
    code: typeof why === 'string' ? why : 'notLooked',
    message: message ?? 'An earlier try in this execution may or may not have carried this out',
    description: sentences(
      doubt,
      'Look in the service yourself. To send it again, set the option Uncertain Posts to Send Again and retry this execution with the saved workflow.',
    ),
    forModel: sentences(doubt, WHAT_A_MODEL_DOES),
    certainty: 'uncertain',
    concernsItemAlone: true,
    lookFor,
  };
};

/** The failure for a write that was sent again and failed this time, too. */
export const stillOpenFailure = ({ forModel, ...failure }: Failure): Failure => {
  const doubt = 'An earlier try in this execution may have carried this out: look in the service.';
  return {
    ...failure,
    description: sentences(failure.description, doubt),
    ...(forModel === undefined ? {} : { forModel: sentences(forModel, doubt) }),
    certainty: 'uncertain',
  };
};
