import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { faultyTotal } from '../faults/apply';
import type { ListOrder } from '../faults/rules';
import type { Post } from '../records';
import type { SandboxService } from '../service';
import { ApiError } from './errors';
import {
  extraFields,
  findWorkspace,
  mediaUrl,
  parseBody,
  parseQuery,
  queryInteger,
  recordId,
  text,
  timestamp,
} from './validation';

const defaultLimit = 20;

const listQuery = z.object({
  workspaceId: queryInteger(1),
  limit: queryInteger(1).default(String(defaultLimit)),
  offset: queryInteger(0).default('0'),
});

const variantBody = z
  .object({
    socialAccountId: recordId,
    content: z.string().default(''),
    mediaUrls: z.array(mediaUrl).default([]),
  })
  .passthrough()
  .refine((variant) => variant.content.trim() !== '' || variant.mediaUrls.length > 0, {
    path: ['content'],
    message: 'is required without mediaUrls',
  });

const createBody = z
  .object({
    workspaceId: recordId,
    status: text,
    scheduledAt: timestamp.optional(),
    variants: z.array(variantBody).min(1),
  })
  .passthrough()
  .refine((body) => body.status !== 'scheduled' || body.scheduledAt !== undefined, {
    path: ['scheduledAt'],
    message: 'is required when status is scheduled',
  });

/** GET and POST {base_url}/posts. */
export function postRoutes(app: FastifyInstance, service: SandboxService) {
  const { store, publisher, maxPageSize } = service;

  app.get('/posts', (request) => {
    const { workspaceId, limit: wanted, offset } = parseQuery(listQuery, request.query);
    findWorkspace(store, workspaceId);
    const { faults } = request.state;
    const shownUntil = service.now().getTime() - (faults?.listLagMs ?? 0);
    const shown = store
      .postsOf(workspaceId)
      .filter(({ createdAt }) => !faults?.listLagMs || Date.parse(createdAt) <= shownUntil);
    const posts = inOrder(shown, faults?.listOrder);
    const limit = Math.min(wanted, maxPageSize, faults?.pageCap ?? Infinity);
    const page = posts.slice(offset, offset + limit);
    const total = faultyTotal(faults?.total ?? [], posts.length);
    return { posts: page.map(postRecord), ...total, limit, offset };
  });

  app.post('/posts', (request, reply) => {
    const body = parseBody(createBody, request.headers['content-type'], request.state.logged.body);
    const workspace = findWorkspace(store, body.workspaceId);
    body.variants.forEach(({ socialAccountId }, index) => {
      if (store.account(socialAccountId)?.workspaceId === workspace.id) return;
      const message = `There is no account ${socialAccountId} in workspace ${workspace.id}.`;
      const field = `variants[${index}].socialAccountId`;
      throw new ApiError(422, 'unknown_account', message, field);
    });
    const post = store.addPost({
      workspaceId: workspace.id,
      status: body.status,
      scheduledAt: body.scheduledAt,
      createdAt: service.now().toISOString(),
      variants: body.variants.map((variant) => ({
        socialAccountId: variant.socialAccountId,
        content: variant.content,
        mediaUrls: variant.mediaUrls,
        extra: extraFields(variant, variantBody.innerType().shape),
      })),
      extra: extraFields(body, createBody.innerType().shape),
    });
    publisher.schedule(post);
    reply.code(201);
    return { post: postRecord(post) };
  });
}

/** Sorts posts, which come in order of their IDs. */
function inOrder(posts: readonly Post[], order: ListOrder | undefined): readonly Post[] {
  if (order === undefined || order === 'id') return posts;
  const oldestFirst = posts.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return order === 'oldest' ? oldestFirst : oldestFirst.reverse();
}

/** The documented fields of a post. */
function postRecord({ id, workspaceId, status, scheduledAt, createdAt }: Post) {
  return { id, workspaceId, status, scheduledAt, createdAt };
}
