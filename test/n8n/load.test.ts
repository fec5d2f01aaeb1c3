import { join } from 'node:path';

import { seededRandom } from '../../sandbox/random';
import { compareReceiving, receivingTable, settings } from '../../scripts/bench/receiving';
import { forgedDelivery, sendAll, signedDelivery, times } from '../../scripts/load/deliveries';
import type { N8nInstance } from '../../scripts/n8n/instance';
import { workDir } from '../../scripts/n8n/paths';
import { startFreshN8n } from './support/fresh';
import { deliveryIdOf, executionsOf, expectedId } from './trigger/executions';
import { saveEndpoint, TriggeredWorkflow } from './trigger/workflows';

const VALID = 2_000;
const FORGED = 5_000;
const secret = 'whsec_load';

// n8n's default settings take some 5 minutes, and more on a machine that has other things to do.
jest.setTimeout(25 * 60_000);

describe.each(settings)('with $title', (setting) => {
  const { typeVersion, environment } = setting;
  const userFolder = join(workDir(), 'load');
  let n8n: N8nInstance;

  beforeAll(async () => {
    n8n = await startFreshN8n(userFolder, environment);
  });

  afterAll(() => n8n?.stop());

  test(`${VALID} valid deliveries among ${FORGED} forged ones start as many executions`, async () => {
    const credentialId = await saveEndpoint(n8n, secret);
    const parameters = { events: ['post.published'] };
    const workflow = await TriggeredWorkflow.save(n8n, credentialId, parameters, { typeVersion });
    await workflow.publish();
    const valid = times(VALID, () => signedDelivery(secret));
    const deliveries = shuffled([
      ...valid.map((delivery) => ({ delivery, status: 200 })),
      ...times(FORGED, forgedDelivery).map((delivery) => ({ delivery, status: 401 })),
    ]);

    const statuses = await sendAll(
      workflow.productionUrl,
      deliveries.map(({ delivery }) => delivery),
    );

    expect(statuses).toEqual(deliveries.map(({ status }) => status));
    await n8n.api.executionsEnded(workflow.file.id);
    const executions = await executionsOf(userFolder, workflow.file.id);
    expect(executions).toHaveLength(VALID);
    expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
    expect(executions.map(deliveryIdOf).sort()).toEqual(
      valid.map(({ body }) => expectedId(body)).sort(),
    );
  });

  // What it prints says how fast; that both sides did their work is checked on the way.
  test("it is measured beside n8n's own nodes", async () => {
    const throughput = await compareReceiving(n8n, setting, { seconds: 5, rounds: 1 });
    console.log(receivingTable(setting, throughput));
  });
});

/** The elements in an order that is the same each time. */
function shuffled<Element>(elements: Element[]): Element[] {
  const random = seededRandom(20_261_121);
  return elements
    .map((element) => ({ element, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ element }) => element);
}
