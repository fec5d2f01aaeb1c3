import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Agent } from '../records';
import type { Store } from '../records/store';
import type { SandboxService } from '../service';
import { nextRun } from '../time/cron';
import { ApiError } from './errors';
import {
  cronExpression,
  extraFields,
  findWorkspace,
  parseBody,
  parseQuery,
  queryInteger,
  recordId,
  type Schema,
  text,
} from './validation';

const listQuery = z.object({ workspaceId: queryInteger(1) });

const config = z
  .object({ targetPlatforms: z.array(text).optional(), aiProvider: text.optional() })
  .passthrough();

const settings = z.object({
  name: text,
  type: text,
  schedule: cronExpression,
  isActive: z.boolean().optional(),
  config: config.optional(),
});

const target = z.object({ workspaceId: recordId, id: recordId.optional() });
const createBody = target.merge(settings).passthrough();
const updateBody = target.merge(settings.partial()).passthrough();

/** GET and POST {base_url}/agents. A body with the ID of an agent updates that agent. */
export function agentRoutes(app: FastifyInstance, { store, agentRunner }: SandboxService) {
  app.get('/agents', (request) => {
    const { workspaceId } = parseQuery(listQuery, request.query);
    findWorkspace(store, workspaceId);
    return { agents: store.agentsOf(workspaceId).map(listedAgent) };
  });

  app.post('/agents', (request, reply) => {
    const read = <Output>(schema: Schema<Output>) =>
      parseBody(schema, request.headers['content-type'], request.state.logged.body);
    const { id, workspaceId } = read(target);
    findWorkspace(store, workspaceId);
    const agent =
      id === undefined ? create(store, read(createBody)) : update(store, id, read(updateBody));
    agentRunner.schedule(agent);
    if (id === undefined) reply.code(201);
    return { agent: savedAgent(agent) };
  });
}

function create(store: Store, body: z.output<typeof createBody>): Agent {
  return store.addAgent({
    workspaceId: body.workspaceId,
    name: body.name,
    type: body.type,
    schedule: body.schedule,
    nextRunAt: nextRunAt(body.schedule),
    isActive: body.isActive ?? true,
    config: body.config ?? {},
    extra: extraFields(body, createBody.shape),
  });
}

function update(store: Store, id: number, body: z.output<typeof updateBody>): Agent {
  const agent = store.agent(id);
  if (agent?.workspaceId !== body.workspaceId) {
    const message = `There is no agent ${id} in workspace ${body.workspaceId}.`;
    throw new ApiError(404, 'not_found', message, 'id');
  }
  agent.name = body.name ?? agent.name;
  agent.type = body.type ?? agent.type;
  agent.schedule = body.schedule ?? agent.schedule;
  agent.nextRunAt = nextRunAt(agent.schedule);
  agent.isActive = body.isActive ?? agent.isActive;
  agent.config = body.config ?? agent.config;
  Object.assign(agent.extra, extraFields(body, updateBody.shape));
  return agent;
}

function nextRunAt(schedule: string): string {
  const next = nextRun(schedule, new Date());
  if (!next) throw new RangeError(`The schedule ${schedule} is never due.`);
  return next.toISOString();
}

function listedAgent({ id, name, type, isActive, schedule, lastRunAt }: Agent) {
  return { id, name, type, isActive, schedule, lastRunAt };
}

function savedAgent({ id, name, type, isActive, schedule, nextRunAt }: Agent) {
  return { id, name, type, isActive, schedule, nextRunAt };
}
