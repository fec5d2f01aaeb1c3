import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
  /** The CPU time of the process with all of its threads. */
  cpuTime: z.number(),
});

/** What the V8 profiler recorded: times in microseconds. */
export type Profile = z.infer<typeof profileSchema>;

type StackFrame = Profile['nodes'][number]['callFrame'];

const inPackage = (path: RegExp) => (frame: StackFrame) =>
  frame.url.includes('n8n-nodes-social-publishing/dist/') && path.test(frame.url);

const inModule = (names: RegExp) => (frame: StackFrame) =>
  /node_modules\//.test(frame.url) && names.test(frame.url);

/**
 * What CPU time is spent on. A sample counts for the first purpose that its innermost frame matches. If
 * none does, the frame around it decides, and so on.
 */
const PURPOSES: ReadonlyArray<readonly [name: string, matches: (frame: StackFrame) => boolean]> = [
  ['idle', ({ functionName }) => functionName === '(idle)'],
  ['garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ['ours: idempotency', inPackage(/\/idempotency\//)],
  ['ours: concurrency', inPackage(/\/service\/(limiter|slowStart)\./)],
  ['ours: requests and responses', inPackage(/\/service\//)],
  ['ours: reading fields', inPackage(/\/(parameters\/|operations\/)/)],
  ['ours: items in and out', inPackage(/./)],
  ['credentials', inModule(/credentials-helper|\/credentials\.js|cipher|policy/)],
  ['database', inModule(/typeorm|sqlite/)],
  [
    'fields and expressions',
    inModule(/expression|tournament|workflow-data-proxy|isolated-vm|luxon|node-helpers/),
  ],
  [
    'HTTP',
    (frame) =>
      inModule(/axios|follow-redirects|form-data|agent|proxy-|request-helper|\/qs\//)(frame) ||
      /^node:(_http|http|net|internal\/(streams|http|net|stream_base|url|timers|abort))/.test(
        frame.url,
      ),
  ],
  ['n8n around the node', inModule(/n8n/)],
];

const OTHER = 'Node.js and the rest';

/**
 * The milliseconds of CPU time by purpose, most first. The samples give the shares only: on a busy
 * machine, a process is also sampled while it waits.
 */
export function spentOn({ nodes, samples, timeDeltas, cpuTime }: Profile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])));
  const purposes = new Map<number, string>();
  const purposeOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id);
    if (id === undefined || node === undefined) return OTHER;
    const cached = purposes.get(id);
    if (cached !== undefined) return cached;
    const own = PURPOSES.find(([, matches]) => matches(node.callFrame))?.[0];
    const purpose = own ?? purposeOf(parents.get(id));
    purposes.set(id, purpose);
    return purpose;
  };
  const spent = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const purpose = purposeOf(id);
    if (purpose === 'idle') continue;
    spent.set(purpose, (spent.get(purpose) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const sampled = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return new Map(
    [...spent]
      .sort(([, a], [, b]) => b - a)
      .map(([purpose, time]) => [purpose, ((time / sampled) * cpuTime) / 1000]),
  );
}

/** The environment to start n8n with so that it can be profiled. */
export const profiledEnvironment = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--require ${join(__dirname, 'profiler.js')}`,
  CPU_PROFILE: file,
});

/** Profiles a process that was started with {@link profiledEnvironment} while something runs. */
export async function profile(
  pid: number,
  file: string,
  run: () => Promise<unknown>,
): Promise<Profile> {
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await run();
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await delay(50);
  return profileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}
