import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox';
import { chart } from './bench/chart';
import { measure, type Measurement } from './bench/measure';
import { medians, table, type Comparison } from './bench/report';
import { scenarios } from './bench/scenarios';
import { installHost } from './n8n/install';
import { N8nInstance } from './n8n/instance';
import { buildAndPack, installPackage } from './n8n/pack';
import { repositoryDir, workDir } from './n8n/paths';

const LATENCY_MS = 20;
const CHART = join(repositoryDir, 'docs', 'benchmark.svg');

const usage = `npm run bench -- [--rounds N] [--chart]

Measures our node and n8n's HTTP Request node side by side in a real n8n, against
the sandbox with ${LATENCY_MS} ms of latency.

  --rounds N   how often each side is measured (5)
  --only N     measure the Nth task alone
  --chart      draw the figures into docs/benchmark.svg`;

async function compare(
  n8n: N8nInstance,
  prepare: (typeof scenarios)[number],
  rounds: number,
): Promise<Comparison> {
  const sandbox = await startSandbox({ latencyMs: LATENCY_MS });
  try {
    const scenario = prepare(sandbox);
    const credentialId = await n8n.api.saveCredential({
      name: 'Benchmark',
      type: 'socialPublishingApi',
      data: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.agency, workspaceId: '1' },
    });
    const measured: Record<'ours' | 'others', Measurement[]> = { ours: [], others: [] };
    // The first round warms up both sides; then they take turns in going first.
    for (let round = 0; round <= rounds; round++) {
      const sides = round % 2 === 0 ? (['ours', 'others'] as const) : (['others', 'ours'] as const);
      for (const side of sides) {
        const result = await measure(n8n, sandbox, credentialId, scenario, scenario[side]);
        if (round > 0) measured[side].push(result);
      }
    }
    return {
      name: scenario.name,
      ours: medians(measured.ours),
      others: medians(measured.others),
    };
  } finally {
    await sandbox.close();
  }
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
  await installHost((line) => console.log(line));
  await installPackage(await buildAndPack(userFolder), userFolder);
  const n8n = await N8nInstance.start({ userFolder });
  try {
    const comparisons: Comparison[] = [];
    for (const prepare of chosen) comparisons.push(await compare(n8n, prepare, rounds));
    const setting = `n8n 2.41.1, ${LATENCY_MS} ms latency, medians of ${rounds} rounds`;
    console.log(`${setting}\n${table(comparisons)}`);
    if (values.chart) await writeFile(CHART, chart(comparisons, setting));
  } finally {
    await n8n.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
