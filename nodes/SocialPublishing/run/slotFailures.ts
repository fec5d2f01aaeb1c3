import type { IDataObject } from 'n8n-workflow';

import { idNumber } from '../parameters/values';
import type { Failure } from '../service/outcome';

/** Words for items whose post exists. */

/**
 * How the post of an item is recognized: this node has created it to say the same, or it has exactly that
 * time, and the node doesn't know it. Of these, it very likely is what the node sent and got no answer to.
 */
export type RecognizedBy = 'post' | 'lostAnswer' | 'time';

/** The failure of an item whose post exists. */
export function existsFailure({ id }: IDataObject, by: RecognizedBy): Failure {
  const number = idNumber(id);
  const post = number === undefined ? '' : ` (ID ${number})`;
  return by === 'post'
    ? onlyOneFailure('samePost', `This node has already created the same post${post}`)
    : onlyOneFailure('timeTaken', `A post${post} is already scheduled for that time`);
}

/** The failure of an item that says the same as item `first` of the same run. */
export const sharedFailure = (first: number): Failure =>
  onlyOneFailure('postShared', `Item ${first} of this run is the same post`);

const onlyOneFailure = (code: string, message: string): Failure => ({
  code,
  message,
  description:
    'Nothing was created for this item. Change its text or its time, or set the option If the Same Post Exists to Skip and Return It.',
  forModel: 'Nothing was created. Change the text or the time.',
  forWriter: `${message}. Change the text or the time.`,
  certainty: 'notSent',
});

/** The failure of an item that was to return the post of item `first`, which failed. */
export const firstFailedFailure = (first: number, { code, description }: Failure): Failure => ({
  code,
  message: `Item ${first}, which is the same post, failed`,
  description: `Nothing was sent for this item. ${description}`,
  certainty: 'notSent',
});

/** What is said of new posts where those of their workspace could not all be read. */
export const MAY_MISS_POSTS =
  'Not all posts could be read. A new post may have the same time as one that was already scheduled: look in the service';
