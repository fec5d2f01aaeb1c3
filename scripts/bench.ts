import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startSandbox } from '../sandbox';
import { chart } from './bench/chart';
import { measure, type Measurement } from './bench/measure';
import { memoryTaken } from './bench/memory';
import { type Comparison, median, medians, table } from './bench/report';
import { scenarios } from './bench/scenarios';
import { installHost } from './n8n/install';
import { N8nInstance } from './n8n/instance';
import { buildAndPack, installPackage } from './n8n/pack';
import { repositoryDir, workDir } from './n8n/paths';

const LATENCY_MS = 20;
const MEMORY_ROUNDS = 3;
const CHART = join(repositoryDir, 'docs', 'benchmark.svg');

const usage = `npm run bench -- [--rounds N] [--chart]

Measures our node and n8n's HTTP Request node side by side in a real n8n, against
the sandbox with ${LATENCY_MS} ms of latency.

  --rounds N   how often each side is measured (5)
  --only N     measure the Nth task alone
  --chart      draw the figures into docs/benchmark.svg`;

const SIDES = ['ours', 'others'] as const;
type Side = (typeof SIDES)[number];

/** A service of its own for one task, and the credential for it in n8n. */
async function withScenario<Result>(
  n8n: N8nInstance,
  prepare: (typeof scenarios)[number],
  use: (run: (side: Side) => Promise<Measurement>, name: string) => Promise<Result>,
): Promise<Result> {
  const sandbox = await startSandbox({ latencyMs: LATENCY_MS });
  try {
    const scenario = prepare(sandbox);
    const credentialId = await n8n.api.saveCredential({
      name: 'Benchmark',
      type: 'socialPublishingApi',
      data: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.agency, workspaceId: '1' },
    });
    return await use(
      (side) => measure(n8n, sandbox, credentialId, scenario, scenario[side]),
      scenario.name,
    );
  } finally {
    await sandbox.close();
  }
}

const compare = (
  n8n: N8nInstance,
  prepare: (typeof scenarios)[number],
  rounds: number,
): Promise<Comparison> =>
  withScenario(n8n, prepare, async (run, name) => {
    const measured: Record<Side, Measurement[]> = { ours: [], others: [] };
    // The first round warms up both sides; then they take turns in going first.
    for (let round = 0; round <= rounds; round++) {
      for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
        const result = await run(side);
        if (round > 0) measured[side].push(result);
      }
    }
    return { name, ours: medians(measured.ours), others: medians(measured.others) };
  });

/** The memory that a task takes in an n8n that has done nothing before: medians in MB. */
async function compareMemory(
  userFolder: string,
  prepare: (typeof scenarios)[number],
): Promise<Record<Side, number>> {
  const taken: Record<Side, number[]> = { ours: [], others: [] };
  for (let round = 0; round < MEMORY_ROUNDS; round++) {
    for (const side of SIDES) {
      const n8n = await N8nInstance.start({ userFolder });
      try {
        taken[side].push(
          await withScenario(n8n, prepare, (run) => memoryTaken(n8n.pid, () => run(side))),
        );
      } finally {
        await n8n.stop();
      }
    }
  }
  return { ours: median(taken.ours), others: median(taken.others) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
      chart: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const rounds = Number(values.rounds);
  const chosen = scenarios.filter((_, index) =>
    [undefined, String(index + 1)].includes(values.only),
  );
  const userFolder = join(workDir(), 'bench');
  const version = await installHost((line) => console.log(line));
  await installPackage(await buildAndPack(userFolder), userFolder);
  const comparisons: Comparison[] = [];
  const n8n = await N8nInstance.start({ userFolder });
  try {
    for (const prepare of chosen) comparisons.push(await compare(n8n, prepare, rounds));
  } finally {
    await n8n.stop();
  }
  const [first] = scenarios;
  if (first !== undefined && chosen.includes(first)) {
    comparisons[0]!.memory = await compareMemory(userFolder, first);
  }
  const setting = `n8n ${version}, ${LATENCY_MS} ms latency, medians of ${rounds} rounds`;
  console.log(`${setting}\n${table(comparisons)}`);
  if (values.chart) await writeFile(CHART, chart(comparisons, setting));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
