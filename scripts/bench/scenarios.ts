import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE } from '../../nodes/SocialPublishing/service/pages';
import type { Sandbox } from '../../sandbox';
import type { Step } from '../n8n/chain';
import { httpRequest, type Login, ours, splitOut } from './workflows';

const POSTS = 10_000;
const CREATES = 500;
const READERS = 100;

/** How the fields of our node are filled: as the editor does it, or as expressions. */
type Filling = 'editor' | 'expressions';

/** One task, done with our node and with the nodes that n8n brings along. */
export interface Scenario {
  name: string;
  items: IDataObject[];
  /** How many items must come out. */
  expected: number;
  ours: Record<Filling, Step[]>;
  others: Record<Login, Step[]>;
}

const withLogins = (steps: (login: Login) => Step[]): Record<Login, Step[]> => ({
  predefined: steps('predefined'),
  header: steps('header'),
});

const post = (index: number): IDataObject => ({
  workspaceId: 1,
  status: 'scheduled',
  scheduledAt: '2035-01-15T09:30:00.000Z',
  variants: [{ socialAccountId: 1, content: `Post ${index}` }],
});

function readAll(sandbox: Sandbox): Scenario {
  const { store, workspaceId, baseUrl } = sandbox;
  sandbox.addPosts(POSTS - store.postsOf(workspaceId).length);
  const read = { resource: 'post', operation: 'getAll', returnAll: true };
  return {
    name: `Read all of ${POSTS.toLocaleString('en')} posts`,
    items: [{ workspace: workspaceId }],
    expected: POSTS,
    ours: {
      editor: [ours(read)],
      expressions: [ours({ ...read, options: { workspaceId: '={{ $json.workspace }}' } })],
    },
    others: withLogins((login) => [
      httpRequest(login, {
        method: 'GET',
        url: `${baseUrl}/posts?workspaceId=1&limit=${PAGE_SIZE}`,
        options: {
          pagination: {
            pagination: {
              paginationMode: 'updateAParameterInEachRequest',
              parameters: {
                parameters: [
                  { type: 'qs', name: 'offset', value: `={{ $pageCount * ${PAGE_SIZE} }}` },
                ],
              },
              paginationCompleteWhen: 'other',
              completeExpression: '={{ $response.body.posts.length === 0 }}',
              limitPagesFetched: false,
              requestInterval: 0,
            },
          },
        },
      }),
      splitOut('posts'),
    ]),
  };
}

/** Our node as users fill it: the text from the item, all else picked in the editor or computed. */
const creating: Record<Filling, Step[]> = {
  editor: [
    ours({
      resource: 'post',
      operation: 'create',
      content: '={{ $json.variants[0].content }}',
      accounts: [1],
      publish: 'at',
      scheduledAt: '2035-01-15T09:30:00',
      timeZone: 'UTC',
      options: {},
    }),
  ],
  expressions: [
    ours({
      resource: 'post',
      operation: 'create',
      content: '={{ $json.variants[0].content }}',
      accounts: '={{ [$json.variants[0].socialAccountId] }}',
      publish: 'at',
      scheduledAt: '={{ $json.scheduledAt }}',
      timeZone: '={{ $now.zoneName }}',
      options: { workspaceId: '={{ $json.workspaceId }}' },
    }),
  ],
};

function create({ baseUrl }: Sandbox): Scenario {
  return {
    name: `Create ${CREATES} posts`,
    items: Array.from({ length: CREATES }, (_, index) => post(index)),
    expected: CREATES,
    ours: creating,
    others: withLogins((login) => [
      httpRequest(login, {
        method: 'POST',
        url: `${baseUrl}/posts`,
        sendBody: true,
        specifyBody: 'json',
        jsonBody: '={{ $json }}',
        options: {},
      }),
    ]),
  };
}

function sharedRead({ baseUrl, store, workspaceId }: Sandbox): Scenario {
  const read = { resource: 'account', operation: 'getAll', returnAll: true };
  return {
    name: `${READERS} items that ask for the same accounts`,
    items: Array.from({ length: READERS }, (_, index) => ({ index, workspace: workspaceId })),
    expected: READERS * store.accountsOf(workspaceId).length,
    ours: {
      editor: [ours(read)],
      expressions: [ours({ ...read, options: { workspaceId: '={{ $json.workspace }}' } })],
    },
    others: withLogins((login) => [
      httpRequest(login, { method: 'GET', url: `${baseUrl}/accounts?workspaceId=1`, options: {} }),
      splitOut('accounts'),
    ]),
  };
}

/** The tasks to measure, each to be prepared at a service of its own. */
export const scenarios: ReadonlyArray<(sandbox: Sandbox) => Scenario> = [
  readAll,
  create,
  sharedRead,
];
