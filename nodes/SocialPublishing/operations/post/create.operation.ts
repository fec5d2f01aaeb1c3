import { momentInWords } from '../../parameters/times/timeWords';
import type { ItemWrite, WriteOperation } from '../operation';
import { checkPost, type PostCheck } from './check';
import { compose, type Composition, dueOfPost } from './compose/compose';
import { postFields } from './fields/post.fields';

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
  endpoint: { method: 'POST', path: '/posts', field: 'post', answer: 'written' },
  did: 'created',
  noun: 'post',
  lookedFor: 'moment',
  tool: '=Schedules a social media post for one or more accounts, and returns it with its id and the time it is due. It is now {{ $now.toFormat("cccc yyyy-MM-dd\'T\'HH:mm") }} in {{ $now.zoneName }}.',
  fields: postFields(),
  async write(item) {
    const composition = await compose(item);
    const checked = await checkPost(item, composition);
    const { nextSlot } = composition;
    return {
      ...writeOf(composition, checked),
      ...(nextSlot && {
        nextSlot: { ...nextSlot, at: (slot) => writeOf(nextSlot.at(slot), checked) },
      }),
    };
  },
  output({ scheduledAt }, { note }) {
    if (note?.due === undefined) return {};
    const at = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : NaN;
    return { due: momentInWords(Number.isNaN(at) ? note.due.at : at, note.due.zone) };
  },
};

const sentAsFiles = (links: number): string =>
  links === 1
    ? 'A share link was sent as the address of its file'
    : `${links} share links were sent as the addresses of their files`;

function writeOf(composition: Composition, checked: PostCheck): ItemWrite {
  const { body, complete, slot, identity, shareLinks, fieldFor } = composition;
  const due = dueOfPost(composition);
  const refusal = composition.refusal ?? checked.refusal;
  return {
    body,
    identity,
    ...(refusal && { refusal }),
    ...(complete && { complete }),
    ...(slot && { slot }),
    note: {
      ...(due && { due }),
      ...(shareLinks > 0 && { info: () => sentAsFiles(shareLinks) }),
      warnings: [...composition.warnings, ...checked.warnings],
    },
    fieldFor,
  };
}
