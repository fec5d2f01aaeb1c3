import { createHash } from 'node:crypto';

import { parse as parseFlatted } from 'flatted';
import type { ExecutionStatus, IRunExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { type Execution, outputOf } from '../../../scripts/n8n/rest';
import { read } from './database';
import { TRIGGER } from './workflows';

/** An execution as n8n has stored it. */
export type StoredExecution = Pick<Execution, 'id' | 'status' | 'data'>;

const source = `(workflowId) => database.prepare(
  'SELECT id, status, data FROM execution_entity JOIN execution_data ON executionId = id WHERE workflowId = ?'
).all(workflowId)`;

/** All executions of a workflow with the trigger, those of thousands at once. */
export async function executionsOf(
  userFolder: string,
  workflowId: string,
): Promise<StoredExecution[]> {
  return parseExecutions(await read(userFolder, source, workflowId));
}

const rowsSchema = z.array(z.object({ id: z.number(), status: z.string(), data: z.string() }));

/** Parses rows of the tables `execution_entity` and `execution_data`: `id`, `status` and `data`. */
export function parseExecutions(rows: unknown): StoredExecution[] {
  return rowsSchema.parse(rows).map(({ id, status, data }) => ({
    id: String(id),
    status: status as ExecutionStatus,
    data: parseFlatted(data) as IRunExecutionData,
  }));
}

/** The id of the delivery that started an execution, which may have come to an end or not. */
export function deliveryIdOf({ data }: StoredExecution): unknown {
  const waiting = data.executionData?.nodeExecutionStack.find(({ node }) => node.name === TRIGGER);
  const [item] = waiting?.data.main?.[0] ?? outputOf({ data }, TRIGGER);
  return item?.json['deliveryId'];
}

/** The `deliveryId` that the trigger must give to a delivery with this body. */
export const expectedId = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
