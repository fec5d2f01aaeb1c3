import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { chain, type Step } from '../../../scripts/n8n/chain';
import {
  type Execution,
  type N8nApi,
  outputOf,
  webhookUrl,
  type WorkflowFile,
} from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { triggerNode } from '../support/bench';

export const TRIGGER = 'Social Publishing Trigger';
const credential = 'socialPublishingWebhookApi';

/** Saves the credential of a webhook endpoint. Returns its id. */
export const saveEndpoint = (
  { api }: Pick<N8nAddress, 'api'>,
  webhookSecret: string,
  name = 'Endpoint',
  otherSecrets = '',
): Promise<string> =>
  api.saveCredential({ name, type: credential, data: { webhookSecret, otherSecrets } });

/** A running n8n: its REST API, and the address of its webhooks. */
export interface N8nAddress {
  api: N8nApi;
  origin: string;
}

const nothing: Step = {
  name: 'Next',
  type: 'n8n-nodes-base.noOp',
  typeVersion: 1,
  parameters: {},
};

/** Waits until a test URL listens no more, which n8n sees to after it has answered an event. */
export async function testUrlStopped(url: string): Promise<void> {
  await waitFor('The test URL went on listening', async () => {
    const response = await fetch(url, { headers: { connection: 'close' } });
    const text = await response.text();
    return text.includes('not registered for GET requests') ? undefined : true;
  });
}

/** A workflow that the trigger starts, in a running n8n. */
export class TriggeredWorkflow {
  readonly productionUrl: string;
  readonly testUrl: string;

  private constructor(
    private readonly n8n: N8nAddress,
    readonly file: WorkflowFile,
  ) {
    this.productionUrl = webhookUrl(n8n.origin, file, TRIGGER, 'production');
    this.testUrl = webhookUrl(n8n.origin, file, TRIGGER, 'test');
  }

  /**
   * Saves a workflow of the trigger and the nodes behind it, one after the other.
   *
   * @param parameters of the trigger
   */
  static async save(
    n8n: N8nAddress,
    credentialId: string,
    parameters: INodeParameters,
    { next = [nothing], typeVersion = 1.1 }: { next?: Step[]; typeVersion?: number } = {},
  ): Promise<TriggeredWorkflow> {
    const trigger: Step = {
      name: TRIGGER,
      type: triggerNode,
      typeVersion,
      parameters,
      credential,
    };
    const file = chain([trigger, ...next]);
    await n8n.api.saveWorkflow(file, { [credential]: credentialId });
    return new TriggeredWorkflow(n8n, file);
  }

  /** Publishes the workflow and waits until its production URL listens. */
  async publish(): Promise<this> {
    await this.n8n.api.publishWorkflow(this.file.id);
    await this.n8n.api.listening(this.productionUrl);
    return this;
  }

  /** Clicks "Execute step" on the trigger: the test URL listens for one event. */
  async listenForTestEvent(): Promise<void> {
    await this.n8n.api.listenForTestEvent(this.file.id, TRIGGER);
  }

  /** Waits until the test URL listens no more. */
  async noTestListens(): Promise<void> {
    await testUrlStopped(this.testUrl);
  }

  /** The ids of all executions so far, the latest first. */
  async executionIds(): Promise<string[]> {
    const { results } = await this.n8n.api.executions(this.file.id, 100);
    return results.map(({ id }) => id);
  }

  /** Waits until there are as many executions and all have ended; the latest comes first. */
  async executions(count: number): Promise<Execution[]> {
    const ids = await waitFor(`There were not ${count} executions`, async () => {
      const found = await this.executionIds();
      return found.length < count ? undefined : found;
    });
    return await Promise.all(ids.map((id) => this.n8n.api.finishedExecution(id)));
  }
}

/** What came out of the outputs of the trigger, as many as are asked for. */
export function triggered(execution: Execution, outputs = 1): INodeExecutionData['json'][][] {
  return Array.from({ length: outputs }, (_, index) =>
    outputOf(execution, TRIGGER, index).map(({ json }) => json),
  );
}
