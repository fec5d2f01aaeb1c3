import type { IDataObject } from 'n8n-workflow';

import { idNumber } from '../parameters/values';
import type { Failure } from '../service/outcome';

/** Words for items that exist already. */

/** Whether a post is the same as far as this node knows, or has the same time and isn't known to it. */
export type RecognizedBy = 'post' | 'time';

/** The failure of an item that a post stands for. */
export function takenFailure({ id }: IDataObject, by: RecognizedBy): Failure {
  const number = idNumber(id);
  const post = number === undefined ? '' : ` (ID ${number})`;
  return by === 'post'
    ? onlyOneFailure('alreadyCreated', `This node has already created the same post${post}`)
    : onlyOneFailure('timeTaken', `A post${post} is already scheduled for that time`);
}

/** The failure of an item that item `first` of the same run asks for, too. */
export const sharedFailure = (first: number): Failure =>
  onlyOneFailure('postShared', `Item ${first} of this run is the same post`);

const onlyOneFailure = (code: string, message: string): Failure => ({
  code,
  message,
  description:
    'Nothing was created for this item. Change it, or set the option If the Same Post Exists to Skip and Return It.',
  forModel: 'Nothing was created. Choose another time.',
  certainty: 'notSent',
});

/** The failure of an item that was to return the post of item `first`, which failed. */
export const firstFailedFailure = (first: number, { code, description }: Failure): Failure => ({
  code,
  message: `Item ${first}, which is the same post, failed`,
  description: `Nothing was sent for this item. ${description}`,
  certainty: 'notSent',
});
