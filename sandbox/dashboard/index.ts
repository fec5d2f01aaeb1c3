import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance, FastifyReply } from 'fastify';

import type { SandboxService } from '../service';
import { Form, FormError } from './form';
import { rejectionReason } from './guard';
import type { Html } from './html';
import { dashboardPage, type Notice, platformPostPage } from './page';
import { accounts } from './sections/accounts';
import { agents } from './sections/agents';
import { faults } from './sections/faults';
import { inbox } from './sections/inbox';
import { keys } from './sections/keys';
import { overview } from './sections/overview';
import { posts } from './sections/posts';
import { requests } from './sections/requests';
import { webhooks } from './sections/webhooks';

const sections = [overview, keys, webhooks, accounts, posts, agents, inbox, faults, requests];

const assets = {
  'style.css': 'text/css; charset=utf-8',
  'live.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** How many notices to keep for the pages that show them. */
const maxNotices = 20;

/**
 * The web dashboard: API keys and webhooks as in the service's own, and the controls of the sandbox.
 * It works without JavaScript, which only keeps it up to date.
 * @param host the address that the sandbox listens on
 */
export function dashboard(app: FastifyInstance, service: SandboxService, host: string): void {
  const notices = new Map<number, Notice>();
  let lastNoticeId = 0;

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  );

  app.addHook('onRequest', (request, reply, done) => {
    const reason = rejectionReason(request, host);
    if (reason === undefined) done();
    else reply.code(403).type('text/plain; charset=utf-8').send(reason);
  });

  app.get<{ Querystring: { notice?: string } }>('/', (request, reply) => {
    const notice = notices.get(Number(request.query.notice));
    return sendPage(reply, dashboardPage(service, sections, notice));
  });

  app.get<{ Params: { id: string } }>('/platforms/:platform/:id', (request, reply) => {
    const platformPost = service.store.platformPost(request.params.id);
    if (platformPost) return sendPage(reply, platformPostPage(service, platformPost));
    return reply.code(404).type('text/plain; charset=utf-8').send('There is no such post.');
  });

  for (const [name, type] of Object.entries(assets)) {
    const content = readFileSync(join(__dirname, 'assets', name));
    app.get(`/assets/${name}`, (_request, reply) => reply.type(type).send(content));
  }

  for (const { id, actions = {} } of sections) {
    for (const [name, action] of Object.entries(actions)) {
      app.post(`/${id}/${name}`, (request, reply) => {
        const form = new Form(typeof request.body === 'string' ? request.body : '');
        const noticeId = ++lastNoticeId;
        notices.set(
          noticeId,
          perform(() => action(service, form)),
        );
        notices.delete(noticeId - maxNotices);
        return reply.redirect(`/?notice=${noticeId}#${id}`, 303);
      });
    }
  }
}

function perform(action: () => Html | string): Notice {
  try {
    return { tone: 'good', text: action() };
  } catch (error) {
    if (error instanceof FormError) return { tone: 'bad', text: error.message };
    throw error;
  }
}

function sendPage(reply: FastifyReply, page: Html) {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    })
    .send(page.text);
}
