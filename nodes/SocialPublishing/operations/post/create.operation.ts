import { momentInWords } from '../../parameters/times/timeWords';
import type { WriteOperation } from '../operation';
import { checkPost } from './check';
import { compose } from './compose/compose';
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
  write: async (item) => await compose(item, (post) => checkPost(item, post)),
  output({ scheduledAt }, { note }) {
    if (note?.due === undefined) return {};
    const at = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : NaN;
    return { due: momentInWords(Number.isNaN(at) ? note.due.at : at, note.due.zone) };
  },
};
