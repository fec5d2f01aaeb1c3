import type { INodeProperties } from 'n8n-workflow';

import type { Worked, WorkOperation } from '../operation';
import { postFields } from './fields/post.fields';
import { refusedRow, workedOut } from './preview/record';
import { type Draft, draftOf, RunOfCreate } from './preview/runOfCreate';

const checkMediaUrls: INodeProperties = {
  displayName: 'Check Media URLs',
  name: 'checkMediaUrls',
  type: 'boolean',
  default: true,
  description:
    'Whether to ask the host of each media URL if it has a file there. Sends one request to each address, none of which counts toward the quota.',
};

const onePerAccount: INodeProperties = {
  displayName: 'One Item per Account',
  name: 'onePerAccount',
  type: 'boolean',
  default: false,
  description:
    'Whether to give flat items for a table that a person reads: when it is due, account, platform, text, picture and remarks. A post that cannot be created is an item, too, and says why.',
};

/** Shows what Create would send (docs/service.md, "Post: preview"). */
export const preview: WorkOperation<Draft | Worked> = {
  resource: 'post',
  option: {
    name: 'Preview',
    value: 'preview',
    action: 'Preview a post',
    description: 'Show what Create would send, with warnings. Sends nothing.',
  },
  kind: 'work',
  tool: '=Shows what a social media post would be like, with warnings, without sending it: when it is due, and the text, its length and the media for each account. It is now {{ $now.toFormat("cccc yyyy-MM-dd\'T\'HH:mm") }} in {{ $now.zoneName }}.',
  fields: postFields(onePerAccount, checkMediaUrls),
  draft: async (item) => await draftOf(item).catch((error) => refusedRow(item, error)),
  async work(drafts, findings) {
    const composed = drafts.filter((one) => 'item' in one);
    const heads = await findings.heads(composed.flatMap(({ addresses }) => addresses));
    const run = new RunOfCreate(composed);
    const worked: Worked[] = [];
    for (const one of drafts) {
      await findings.breathe();
      worked.push('item' in one ? workedOut(run.inSlot(one), heads, run) : one);
    }
    return worked;
  },
};
