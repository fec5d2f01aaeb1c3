import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { compareReceiving, receivingTable, settings } from './bench/receiving';
import { SENDERS } from './load/deliveries';
import { installHost } from './n8n/install';
import { N8nInstance } from './n8n/instance';
import { buildAndPack, installPackage } from './n8n/pack';
import { workDir } from './n8n/paths';

const usage = `npm run bench:trigger -- [--rounds N] [--seconds N]

Compares our trigger with n8n's Webhook, Extract from File, Crypto and If nodes in a
real n8n: with its default settings, and with an expression engine that starts only
when there is an expression to evaluate.

  --rounds N   how many times to measure each side (3)
  --seconds N  how long each side gets valid deliveries, then forged ones, in a round (10)`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const userFolder = join(workDir(), 'bench-trigger');
  const version = await installHost((line) => console.log(line));
  await rm(userFolder, { recursive: true, force: true });
  await installPackage(await buildAndPack(userFolder), userFolder);
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  console.log(`n8n ${version}, ${SENDERS} senders, medians of ${rounds} rounds of ${seconds} s`);
  for (const setting of settings) {
    const n8n = await N8nInstance.start({ userFolder, environment: setting.environment });
    try {
      const throughput = await compareReceiving(n8n, { seconds, rounds });
      console.log(receivingTable(setting, throughput));
    } finally {
      await n8n.stop();
    }
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
