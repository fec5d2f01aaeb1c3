import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startSandbox } from '../sandbox';
import { chart } from './bench/chart';
import { profile, profiledEnvironment, spentOn } from './bench/cpu';
import { compareLoops, type Loop } from './bench/loop';
import { measure, type Measurement } from './bench/measure';
import { memoryTaken } from './bench/of-process';
import { publish, startedByWebhook } from './bench/production';
import { type Comparison, cpuTable, median, table, type Way } from './bench/report';
import { type Scenario, scenarios } from './bench/scenarios';
import type { Step } from './n8n/chain';
import { installHost } from './n8n/install';
import { N8nInstance } from './n8n/instance';
import { buildAndPack, installPackage } from './n8n/pack';
import { repositoryDir, workDir } from './n8n/paths';
import type { WorkflowFile } from './n8n/rest';
import { saveServiceCredential } from './n8n/service-credential';

const LATENCIES_MS = [20, 200] as const;
const MEMORY_ROUNDS = 3;
const CPU_ROUNDS = 5;
const LOOPS: Loop[] = [
  { rounds: 100, latencyMs: 20 },
  { rounds: 100, latencyMs: 200 },
  { rounds: 3000, latencyMs: 20 },
];
const CHART = join(repositoryDir, 'docs', 'benchmark.svg');

const usage = `npm run bench -- [--quick] [--rounds N] [--only N] [--latency MS] [--memory] [--cpu] [--loop] [--chart]

Compares our node with n8n's HTTP Request node in a real n8n, against the sandbox with
${LATENCIES_MS.join(' ms and ')} ms of latency. Each is measured in two ways: our node with fields as the
editor fills them and with expressions, the other with our credential and with n8n's
header credential. A webhook starts the workflows, as in production. The ways take
turns, and the first round is a warm-up.

  --quick        one round: quick, but not reliable
  --rounds N     how many times to measure each way (5)
  --only N       measure only the Nth task
  --latency MS   measure only with this latency
  --memory       also measure the memory of the first task
  --cpu          profile n8n instead: CPU time for each item, by purpose
  --loop         measure loops of one post in each round instead
  --chart        draw the figures into docs/benchmark.svg`;

type Prepare = (typeof scenarios)[number];

const WAYS = [
  { side: 'ours', key: 'editor', name: 'ours, fields as in the editor' },
  { side: 'ours', key: 'expressions', name: 'ours, fields as expressions' },
  { side: 'others', key: 'predefined', name: 'HTTP Request, our credential' },
  { side: 'others', key: 'header', name: 'HTTP Request, header credential' },
] as const;
type WayOf = (typeof WAYS)[number];

const stepsOf = ({ ours, others }: Scenario, way: WayOf): Step[] =>
  way.side === 'ours' ? ours[way.key] : others[way.key];

/** Gives one task a sandbox of its own, with credentials for it in n8n. */
async function withScenario<Result>(
  n8n: N8nInstance,
  prepare: Prepare,
  latencyMs: number,
  use: (run: (way: WayOf) => Promise<Measurement>, scenario: Scenario) => Promise<Result>,
): Promise<Result> {
  const sandbox = await startSandbox({ latencyMs });
  try {
    const scenario = prepare(sandbox);
    const apiKey = sandbox.keys.agency;
    const credentialIds = {
      socialPublishingApi: await saveServiceCredential(n8n.api, { ...sandbox, apiKey }),
      httpHeaderAuth: await n8n.api.saveCredential({
        name: 'Benchmark',
        type: 'httpHeaderAuth',
        data: { name: 'Authorization', value: `Bearer ${apiKey}` },
      }),
    };
    const workflows = new Map<WayOf, WorkflowFile>();
    const run = async (way: WayOf): Promise<Measurement> => {
      const steps = stepsOf(scenario, way);
      const workflow = workflows.get(way) ?? startedByWebhook(steps);
      if (!workflows.has(way)) await publish(n8n, workflow, credentialIds);
      workflows.set(way, workflow);
      return await measure(n8n, sandbox, scenario, steps, workflow);
    };
    const result = await use(run, scenario);
    for (const { id } of workflows.values()) await n8n.api.unpublishWorkflow(id);
    return result;
  } finally {
    await sandbox.close();
  }
}

const compare = (
  n8n: N8nInstance,
  prepare: Prepare,
  latencyMs: number,
  rounds: number,
): Promise<Comparison> =>
  withScenario(n8n, prepare, latencyMs, async (run, { name }) => {
    const measured = WAYS.map((way) => ({ ...way, rounds: [] as Measurement[] }));
    // The first round is a warm-up. In each other round, another way goes first.
    for (let round = 0; round <= rounds; round++) {
      for (let turn = 0; turn < measured.length; turn++) {
        const way = measured[(round + turn) % measured.length]!;
        const result = await run(way);
        if (round > 0) way.rounds.push(result);
      }
    }
    const ofSide = (side: WayOf['side']): Way[] => measured.filter((way) => way.side === side);
    return { name, latencyMs, ours: ofSide('ours'), others: ofSide('others') };
  });

/** The memory that a task takes in a fresh n8n: medians in MB. */
async function compareMemory(
  userFolder: string,
  prepare: Prepare,
): Promise<{ ours: number; others: number }> {
  const [ours, , others] = WAYS;
  const taken = { ours: [] as number[], others: [] as number[] };
  for (let round = 0; round < MEMORY_ROUNDS; round++) {
    for (const way of [ours, others]) {
      const n8n = await N8nInstance.start({ userFolder });
      try {
        taken[way.side].push(
          await withScenario(n8n, prepare, LATENCIES_MS[0], (run) =>
            memoryTaken(n8n.pid, () => run(way)),
          ),
        );
      } finally {
        await n8n.stop();
      }
    }
  }
  return { ours: median(taken.ours), others: median(taken.others) };
}

/** The CPU time that a task takes in a warm n8n for each item, by purpose. */
async function cpuTaken(userFolder: string, prepare: Prepare): Promise<string> {
  const file = join(userFolder, 'cpu.json');
  const n8n = await N8nInstance.start({ userFolder, environment: profiledEnvironment(file) });
  try {
    return await withScenario(n8n, prepare, LATENCIES_MS[0], async (run, { name, items }) => {
      const columns: Array<Map<string, number>> = [];
      for (const way of WAYS) {
        await run(way);
        const recorded = await profile(n8n.pid, file, async () => {
          for (let round = 0; round < CPU_ROUNDS; round++) await run(way);
        });
        columns.push(spentOn(recorded));
      }
      return cpuTable(
        name,
        WAYS.map((way) => way.name),
        columns.map(
          (spent) =>
            new Map([...spent].map(([what, ms]) => [what, ms / CPU_ROUNDS / items.length])),
        ),
      );
    });
  } finally {
    await n8n.stop();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
      latency: { type: 'string' },
      memory: { type: 'boolean', default: false },
      cpu: { type: 'boolean', default: false },
      loop: { type: 'boolean', default: false },
      chart: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const rounds = values.quick ? 1 : Number(values.rounds);
  const chosen = scenarios.filter((_, index) =>
    [undefined, String(index + 1)].includes(values.only),
  );
  const latencies = values.latency === undefined ? LATENCIES_MS : [Number(values.latency)];
  const userFolder = join(workDir(), 'bench');
  const version = await installHost((line) => console.log(line));
  await installPackage(await buildAndPack(userFolder), userFolder);
  if (values.cpu) {
    for (const prepare of chosen) console.log(await cpuTaken(userFolder, prepare));
    return;
  }
  const comparisons: Comparison[] = [];
  const n8n = await N8nInstance.start({ userFolder });
  try {
    if (values.loop) {
      await compareLoops(n8n, LOOPS);
      return;
    }
    for (const latencyMs of latencies) {
      for (const prepare of chosen) {
        const comparison = await compare(n8n, prepare, latencyMs, rounds);
        comparisons.push(comparison);
        console.log(table([comparison]));
      }
    }
  } finally {
    await n8n.stop();
  }
  const setting = `Measured with n8n ${version}: of ${rounds} rounds, the one in the middle.`;
  const [first] = chosen;
  const [least] = comparisons;
  if (values.memory && first !== undefined && least !== undefined) {
    least.memory = await compareMemory(userFolder, first);
    console.log(table([least]));
  }
  if (values.chart) await writeFile(CHART, chart(comparisons, setting));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
