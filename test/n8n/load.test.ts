import { join } from 'node:path';

import { compareReceiving, receivingTable, settings } from '../../scripts/bench/receiving';
import { forgedDelivery, repeat, sendAll, signedDelivery } from '../../scripts/load/deliveries';
import type { N8nInstance } from '../../scripts/n8n/instance';
import { workDir } from '../../scripts/n8n/paths';
import { durations, shuffled, SIGNED_DELIVERIES } from '../support/load';
import { startFreshN8n } from './support/fresh';
import { deliveryIdOf, executionsOf, expectedId } from './trigger/executions';
import { saveEndpoint, TriggeredWorkflow } from './trigger/workflows';

const VALID = SIGNED_DELIVERIES;
const FORGED = 2 * VALID;
const secret = 'whsec_load';

jest.setTimeout(25 * 60_000);

describe.each(settings)('with $title', (setting) => {
  const { environment } = setting;
  const userFolder = join(workDir(), 'load');
  let n8n: N8nInstance;

  beforeAll(async () => {
    n8n = await startFreshN8n(userFolder, environment);
  });

  afterAll(() => n8n?.stop());

  test(`${VALID} valid deliveries among ${FORGED} forged ones start as many executions`, async () => {
    const credentialId = await saveEndpoint(n8n, secret);
    const parameters = { events: ['post.published'] };
    const workflow = await TriggeredWorkflow.save(n8n, credentialId, parameters);
    await workflow.publish();
    const valid = repeat(VALID, () => signedDelivery(secret));
    const deliveries = shuffled([
      ...valid.map((delivery) => ({ delivery, status: 200 })),
      ...repeat(FORGED, forgedDelivery).map((delivery) => ({ delivery, status: 401 })),
    ]);

    const started = performance.now();
    const statuses = await sendAll(
      workflow.productionUrl,
      deliveries.map(({ delivery }) => delivery),
    );
    const sent = performance.now();
    await n8n.api.executionsEnded(workflow.file.id);
    const ended = performance.now();

    expect(statuses).toEqual(deliveries.map(({ status }) => status));
    const executions = await executionsOf(userFolder, workflow.file.id);
    expect(executions).toHaveLength(VALID);
    expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
    expect(executions.map(deliveryIdOf).sort()).toEqual(
      valid.map(({ body }) => expectedId(body)).sort(),
    );
    console.log(`${setting.title}: ${durations(VALID + FORGED, { started, sent, ended })}`);
  });

  // The speed is printed, not asserted. What is asserted is that both sides did their work.
  test("its throughput is measured beside that of n8n's own nodes", async () => {
    const throughput = await compareReceiving(n8n, { seconds: 1, rounds: 1 });
    console.log(receivingTable(setting, throughput));
  });
});
