import { z } from 'zod';

import { startSandbox } from '../../sandbox';

/** What `npm run dev` hands to its sandbox, as JSON, in the one argument. */
const devSandboxSchema = z.object({
  port: z.number(),
  endpoint: z.object({ url: z.string(), secret: z.string(), events: z.array(z.string()) }),
});

async function main(): Promise<void> {
  const { port, endpoint } = devSandboxSchema.parse(JSON.parse(process.argv[2] ?? ''));
  const sandbox = await startSandbox({ port, agentsRun: true, requestLogSize: 1_000 });
  sandbox.webhooks.add(endpoint);
  console.log('The sandbox has started with fresh data.');
  process.once('SIGTERM', () => void sandbox.close());
}

void main();
