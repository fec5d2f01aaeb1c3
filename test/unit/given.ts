import type { INode } from 'n8n-workflow';

import type { Doubt } from '../../nodes/SocialPublishing/run/uncertainty';

/** What failures and their texts are made of. */

export const node: INode = {
  id: '1',
  name: 'Create post',
  type: 'n8n-nodes-social-publishing.socialPublishing',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

export const credential = {
  baseUrl: 'https://social.example.com/api/v1',
  apiKey: 'spk_1',
  workspaceId: '1',
  data: {},
};

/** What is written, and whether a post that may exist is looked for. */
export const kinds = [
  { noun: 'post', lookedFor: 'moment' },
  { noun: 'agent', lookedFor: 'never' },
] as const;

/** What may be said of what an earlier try may have written. */
export const doubts: readonly Doubt[] = [
  { kind: 'leftOpen' },
  { kind: 'leftOpen', said: 'No response came' },
  { kind: 'otherWords' },
  { kind: 'cutLog' },
  { kind: 'repeatedCall' },
  { kind: 'runningCall' },
  { kind: 'unreadCall' },
  { kind: 'notRecorded', said: 'locked' },
  { kind: 'elsewhere' },
];
