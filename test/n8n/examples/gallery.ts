import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Execution, webhookUrl, type WorkflowFile } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { readExample } from '../../../scripts/n8n/workflow-files';
import { Bench, triggerNode } from '../support/bench';
import { type Chat, openChat } from './chat';

/** The address that the examples have in place of a chat's. */
const CHAT_TO_FILL_IN = 'https://chat.example.com/hooks/your-webhook';

/** Credentials of other services, under the names that n8n's editor gives to new ones. */
const OTHER_CREDENTIALS = [
  ['SMTP account', 'smtp'],
  ['OpenAI account', 'openAiApi'],
  ['Google Sheets account', 'googleSheetsOAuth2Api'],
  ['Airtable Personal Access Token account', 'airtableTokenApi'],
] as const;

/**
 * Gives the example data tables of its own, as tests share an n8n and may have a second attempt. Keeps
 * its schedule from coming due during the test.
 */
function setApart(file: WorkflowFile): void {
  const inHalfAnHour = (new Date().getMinutes() + 30) % 60;
  const tables = new Set<string>();
  for (const { type, parameters } of file.nodes) {
    if (type === 'n8n-nodes-base.dataTable') tables.add(tableOf(parameters));
    if (type === 'n8n-nodes-base.scheduleTrigger') {
      const { interval } = parameters['rule'] as { interval: IDataObject[] };
      for (const rule of interval) rule['triggerAtMinute'] = inHalfAnHour;
    }
  }
  const mark = randomUUID();
  for (const node of file.nodes) {
    let text = JSON.stringify(node.parameters);
    for (const table of tables) text = text.replaceAll(`"${table}"`, `"${table} ${mark}"`);
    node.parameters = JSON.parse(text) as INodeParameters;
  }
}

/** The name of the data table that a node makes or uses. */
const tableOf = ({ dataTableId, tableName }: INodeParameters): string =>
  dataTableId ? (dataTableId as { value: string }).value : (tableName as string);

/** An example in n8n. */
export class Example {
  private readonly seen = new Set<string>();

  constructor(
    private readonly bench: Bench,
    readonly workflow: WorkflowFile,
  ) {}

  /** Takes note of the runs that there are already. */
  async skipRuns(): Promise<void> {
    for (const { id } of await this.list()) this.seen.add(id);
  }

  /** Presses "Execute workflow" from a trigger. */
  async run(trigger: string): Promise<Execution> {
    const execution = await this.bench.api.runWorkflow(this.workflow.id, trigger);
    this.seen.add(execution.id);
    return execution;
  }

  /** Waits until there are `count` more runs than were seen before and all of them have ended; the earliest first. */
  async nextRuns(count: number): Promise<Execution[]> {
    const { name } = this.workflow;
    const started = await waitFor(`There were not ${count} runs of "${name}"`, async () => {
      const runs = (await this.list()).filter(({ id }) => !this.seen.has(id));
      return runs.length >= count ? runs : undefined;
    });
    const ended: Execution[] = [];
    for (const { id } of started.reverse()) {
      this.seen.add(id);
      ended.push(await this.bench.api.finishedExecution(id));
    }
    return ended;
  }

  private async list() {
    return (await this.bench.api.executions(this.workflow.id, 100)).results;
  }
}

/** The examples in n8n, filled in as their notes say, with a sandbox and a chat of their own. */
export class Gallery {
  private readonly published = new Set<string>();

  private constructor(
    readonly bench: Bench,
    readonly chat: Chat,
    private readonly webhookSecret: string,
  ) {}

  /** Makes the two credentials under the names that n8n's editor gives to new ones. */
  static async open(): Promise<Gallery> {
    const bench = await Bench.open();
    const { api, sandbox, apiKey } = bench;
    const webhookSecret = randomUUID();
    await api.saveCredential({
      name: 'Social Publishing account',
      type: 'socialPublishingApi',
      data: { baseUrl: sandbox.baseUrl, apiKey, workspaceId: String(sandbox.workspaceId) },
    });
    await api.saveCredential({
      name: 'Social Publishing Webhook account',
      type: 'socialPublishingWebhookApi',
      data: { webhookSecret },
    });
    for (const [name, type] of OTHER_CREDENTIALS)
      await api.saveCredential({ name, type, data: {} });
    return new Gallery(bench, await openChat(), webhookSecret);
  }

  /**
   * Reads an example and fills it in: of its file only the chat's address, the names of its data tables
   * and the minute of its schedule are replaced. n8n finds the credentials by their names.
   */
  async fillIn(name: string): Promise<WorkflowFile> {
    const file = await readExample(name);
    for (const { parameters } of file.nodes) {
      if (parameters['url'] === CHAT_TO_FILL_IN) parameters['url'] = this.chat.url;
    }
    setApart(file);
    return file;
  }

  /**
   * Fills an example in and imports it.
   *
   * @param adapt changes what must be different here
   */
  async import(name: string, adapt = (file: WorkflowFile): void => void file): Promise<Example> {
    const file = await this.fillIn(name);
    adapt(file);
    await this.bench.api.saveWorkflow(file, {});
    return new Example(this.bench, file);
  }

  /** Imports an example and publishes it. If it starts with events, the sandbox gets its production URL. */
  async publish(name: string, adapt = (file: WorkflowFile): void => void file): Promise<Example> {
    const { api, sandbox } = this.bench;
    const example = await this.import(name, adapt);
    const file = example.workflow;
    await api.publishWorkflow(file.id);
    this.published.add(file.id);
    const trigger = file.nodes.find(({ type }) => type === triggerNode);
    if (trigger) {
      sandbox.webhooks.add({
        url: webhookUrl(api.origin, file, trigger.name, 'production'),
        secret: this.webhookSecret,
        events: trigger.parameters['events'] as string[],
      });
    }
    await example.skipRuns();
    return example;
  }

  async close(): Promise<void> {
    for (const id of this.published) await this.bench.api.unpublishWorkflow(id);
    await this.chat.close();
    await this.bench.close();
  }
}
