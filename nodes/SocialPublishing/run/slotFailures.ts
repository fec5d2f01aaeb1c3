import type { IDataObject } from 'n8n-workflow';

import { idNumber } from '../parameters/values';
import type { Failure } from '../service/outcome';

/** Words for items whose time is taken. */

/** The failure of an item whose time a post has. */
export function timeTakenFailure({ id }: IDataObject): Failure {
  const number = idNumber(id);
  const post = number === undefined ? 'A post' : `A post (ID ${number})`;
  return onlyOneFailure('timeTaken', `${post} is already scheduled for that time`);
}

/** The failure of an item whose time item `first` of the same run asks for, too. */
export const timeSharedFailure = (first: number): Failure =>
  onlyOneFailure('timeShared', `Item ${first} of this run is for the same time`);

/** The failure of an item whose time another run of this n8n may be sending a post for. */
export const timeInUseFailure = (): Failure => ({
  code: 'timeTaken',
  message: 'Another execution is about to create a post for that time',
  description: 'Nothing was created for this item. Run it again when the other one has ended.',
  forModel: 'Nothing was created. Choose another time.',
  certainty: 'notSent',
});

const onlyOneFailure = (code: string, message: string): Failure => ({
  code,
  message,
  description:
    'Nothing was created for this item. Choose another time, or set the option If a Post Is Already Scheduled for That Time to Skip and Return It.',
  forModel: 'Nothing was created. Choose another time.',
  forWriter: `${message}. Choose another time.`,
  certainty: 'notSent',
});

/** The failure of an item that was to return the post of item `first`, which failed. */
export const firstFailedFailure = (first: number, { code, description }: Failure): Failure => ({
  code,
  message: `Item ${first}, which is for the same time, failed`,
  description: `Nothing was sent for this item. ${description}`,
  certainty: 'notSent',
});
