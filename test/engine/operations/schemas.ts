import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { operations } from '../../../nodes/SocialPublishing/operations';
import { readWorkflow, records, useSandbox } from '../harness';

const service = useSandbox({});

const schema = z.object({
  type: z.literal('object'),
  properties: z.record(z.object({ type: z.string() }).passthrough()),
});

const folder = join(__dirname, '../../../nodes/SocialPublishing/__schema__/v1.0.0');

const typeOf = (value: unknown): string => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Workflows that return fields that are not always there. */
const alsoReturning: Readonly<Record<string, string[]>> = { 'post.create': ['post.create.skip'] };

/** What the last node of a workflow returns. */
async function recordsOf(name: string): Promise<IDataObject[]> {
  const workflow = readWorkflow(name);
  const result = await service.run(
    workflow,
    workflow.pinData?.['Start']?.map(({ json }) => json) ?? [{}],
  );
  return records(result, String(workflow.nodes.at(-1)?.name));
}

test.each(operations.map(({ resource, option }) => [resource, option.value]))(
  'the schema of %s %s is what the service returns',
  async (resource, operation) => {
    const file = join(folder, resource, `${operation}.json`);
    const { properties } = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const name = `${resource}.${operation}`;
    const record: IDataObject = {};
    for (const one of [name, ...(alsoReturning[name] ?? [])]) {
      Object.assign(record, ...(await recordsOf(one)));
    }

    const described = Object.entries(properties).map(([name, { type }]) => [name, type]);
    const returned = Object.entries(record).map(([name, value]) => [name, typeOf(value)]);
    // A whole number is a number, too.
    const fits = returned.map(([name, type]) => {
      const known = name === undefined ? undefined : properties[name]?.type;
      return [name, known === 'number' && type === 'integer' ? 'number' : type];
    });
    expect(fits.sort()).toEqual(described.sort());
  },
);
