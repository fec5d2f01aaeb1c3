import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import type { Step } from '../n8n/chain';
import { httpRequest, ours, splitOut } from './workflows';

const PAGE_SIZE = 100;
const POSTS = 10_000;
const CREATES = 500;
const READERS = 100;

/** One task, done with our node and with the nodes that n8n brings along. */
export interface Scenario {
  name: string;
  items: IDataObject[];
  /** How many items must come out. */
  expected: number;
  ours: Step[];
  others: Step[];
}

const post = (index: number): IDataObject => ({
  workspaceId: 1,
  status: 'scheduled',
  scheduledAt: '2035-01-15T09:30:00.000Z',
  variants: [{ socialAccountId: 1, content: `Post ${index}` }],
});

function readAll(sandbox: Sandbox): Scenario {
  const { store, workspaceId, baseUrl } = sandbox;
  sandbox.addPosts(POSTS - store.postsOf(workspaceId).length);
  return {
    name: `Read all of ${POSTS.toLocaleString('en')} posts`,
    items: [{}],
    expected: POSTS,
    ours: [ours({ resource: 'post', operation: 'getAll', returnAll: true })],
    others: [
      httpRequest({
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
    ],
  };
}

function create({ baseUrl }: Sandbox): Scenario {
  return {
    name: `Create ${CREATES} posts`,
    items: Array.from({ length: CREATES }, (_, index) => post(index)),
    expected: CREATES,
    ours: [
      ours({
        resource: 'post',
        operation: 'create',
        scheduledAt: '={{ $json.scheduledAt }}',
        options: { variantsJson: '={{ $json.variants }}' },
      }),
    ],
    others: [
      httpRequest({
        method: 'POST',
        url: `${baseUrl}/posts`,
        sendBody: true,
        specifyBody: 'json',
        jsonBody: '={{ $json }}',
        options: {},
      }),
    ],
  };
}

function sharedRead({ baseUrl, store, workspaceId }: Sandbox): Scenario {
  return {
    name: `${READERS} items that ask for the same accounts`,
    items: Array.from({ length: READERS }, (_, index) => ({ index })),
    expected: READERS * store.accountsOf(workspaceId).length,
    ours: [ours({ resource: 'account', operation: 'getAll', returnAll: true })],
    others: [
      httpRequest({ method: 'GET', url: `${baseUrl}/accounts?workspaceId=1`, options: {} }),
      splitOut('accounts'),
    ],
  };
}

/** The tasks to measure, each to be prepared at a service of its own. */
export const scenarios: ReadonlyArray<(sandbox: Sandbox) => Scenario> = [
  readAll,
  create,
  sharedRead,
];
