import type { Item } from '../../parameters/item';
import type { ItemWrite, WriteOperation } from '../operation';
import { compose, type Composition, dueNote } from './compose/compose';
import { postFields } from './fields/post.fields';
import { checkPlatforms, inactiveWarnings, type PlatformCheck } from './platformCheck';

/** Creates a post (docs/service.md, "POST /posts"). */
export const create: WriteOperation = {
  resource: 'post',
  option: {
    name: 'Create',
    value: 'create',
    action: 'Create a post',
    description: 'Schedule a post for one or more social accounts',
  },
  kind: 'write',
  endpoint: { path: '/posts', field: 'post' },
  did: 'created',
  noun: 'post',
  tool: '=Schedules a social media post for one or more accounts, and returns it with its id and the time it is due. It is now {{ $now.toFormat("cccc yyyy-MM-dd\'T\'HH:mm") }} in {{ $now.zoneName }}.',
  fields: postFields(),
  async write(item) {
    const composition = await compose(item);
    const judged = await checkPlatforms(item, composition.accountPosts);
    const { nextSlot } = composition;
    return {
      ...writeOf(item, composition, judged),
      ...(nextSlot && {
        nextSlot: { ...nextSlot, at: (slot) => writeOf(item, nextSlot.at(slot), judged) },
      }),
    };
  },
};

function writeOf(item: Item, composition: Composition, judged: PlatformCheck): ItemWrite {
  const { body, complete, slot, identity, accountPosts, fieldFor } = composition;
  const refusal = composition.refusal ?? judged.refusal;
  return {
    body,
    identity,
    ...(refusal && { refusal }),
    ...(complete && { complete }),
    ...(slot && { slot }),
    note: {
      ...dueNote(composition),
      warnings: [
        ...composition.warnings,
        ...inactiveWarnings(item, accountPosts),
        ...judged.warnings,
      ],
    },
    fieldFor,
  };
}
