import type { DateTime } from 'luxon';
import type { NodeHint } from 'n8n-workflow';

import { callOf } from '../../../shared/expressions';

/** The parameters that a hint looks at, as the editor has them before the run. */
interface Entered {
  readonly resource: string;
  readonly operation: string;
  readonly publish: string;
  readonly scheduledAt: unknown;
  readonly timeZone: string;
  readonly options?: { readonly ifPast?: string };
}

/** The time that a post is to be published at; `undefined` for all else that the node can do. */
const chosenTime = (
  entered: Entered,
  now: DateTime,
  luxon: typeof DateTime,
): DateTime | undefined => {
  const isPost = entered.resource === 'post' && ['create', 'preview'].includes(entered.operation);
  if (!isPost || entered.publish !== 'at') return undefined;
  const zone = entered.timeZone === '' ? now.zone : entered.timeZone;
  return luxon.fromISO(String(entered.scheduledAt).replace(' ', 'T'), { zone });
};

type Condition = (entered: Entered, time: DateTime | undefined, now: DateTime) => boolean;

const hasPassed: Condition = (entered, time, now) =>
  time !== undefined &&
  (entered.options?.ifPast ?? 'fail') === 'fail' &&
  time < now.minus({ minutes: 5 });

const isSkipped: Condition = (entered, time) =>
  time?.isValid === true &&
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?$/.test(String(entered.scheduledAt)) &&
  time.toFormat('HH:mm') !== String(entered.scheduledAt).slice(11, 16);

const comesTwice: Condition = (entered, time) =>
  time?.isValid === true &&
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?$/.test(String(entered.scheduledAt)) &&
  time.getPossibleOffsets().length > 1;

const atTheOutput = (
  condition: Condition,
  words: Pick<NodeHint, 'message'> & { readonly type: 'warning' | 'info' },
): NodeHint => ({
  ...words,
  location: 'outputPane',
  whenToDisplay: 'always',
  displayCondition: `={{${callOf(condition, '$parameter', callOf(chosenTime, '$parameter', '$now', 'DateTime'), '$now')}}}`,
});

/** What the editor says of the time of a post before the node runs. */
export const timeHints: NodeHint[] = [
  atTheOutput(hasPassed, {
    message:
      'The date and time have passed in the time zone of the node. Choose a later time, or add the option <i>If the Time Has Passed</i>.',
    type: 'warning',
  }),
  atTheOutput(isSkipped, {
    message: 'Clocks skip this time in the time zone of the node. Choose another time.',
    type: 'warning',
  }),
  atTheOutput(comesTwice, {
    message:
      'Clocks show this time twice in the time zone of the node. The first of the two is sent. For the second, add its offset after the time.',
    type: 'info',
  }),
];
