import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { N8nInstance } from '../n8n/instance';
import { installPackage, type PackedPackage } from '../n8n/pack';
import { N8nProcess, type Role } from '../n8n/process';
import { Postgres } from './postgres';
import { Redis } from './redis';
import { type ReverseProxy, startReverseProxy } from './reverse-proxy';

const WORKERS = 2;
const WEBHOOK_PROCESSORS = 2;

/**
 * n8n in queue mode: a main process, two workers and two webhook processors behind a reverse proxy,
 * with PostgreSQL and Redis. Each process has its own user folder with the packed package.
 */
export class QueueMode {
  readonly workers: N8nProcess[] = [];
  readonly webhookProcessors: N8nProcess[] = [];
  private mainInstance: N8nInstance | undefined;
  private readonly encryptionKey = randomBytes(24).toString('hex');

  private constructor(
    /** Holds the data and the logs of all processes but PostgreSQL's data. */
    readonly folder: string,
    readonly postgres: Postgres,
    readonly redis: Redis,
    readonly proxy: ReverseProxy,
    private readonly more: Record<string, string>,
  ) {}

  /**
   * Starts everything, from an empty database.
   *
   * @param folder receives the data and the logs of all processes
   * @param environment more environment variables for every n8n process
   * @throws SetupError when a program cannot be installed or started; what was started is stopped
   */
  static async start(
    folder: string,
    packed: PackedPackage,
    environment: Record<string, string> = {},
  ): Promise<QueueMode> {
    const postgres = await Postgres.start(folder);
    const redis = await Redis.start(folder);
    // The processors exist only after the proxy, whose address they need.
    const targets: { queue?: QueueMode } = {};
    const proxy = await startReverseProxy(() =>
      (targets.queue?.webhookProcessors ?? []).map(({ origin }) => origin),
    );
    const queue = new QueueMode(folder, postgres, redis, proxy, environment);
    targets.queue = queue;
    try {
      const indexed = (name: string, count: number) =>
        Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
      const workers = indexed('worker', WORKERS);
      const processors = indexed('webhook', WEBHOOK_PROCESSORS);
      for (const name of ['main', ...workers, ...processors]) {
        await rm(queue.userFolder(name), { recursive: true, force: true });
        await installPackage(packed, queue.userFolder(name));
      }
      await queue.startMain();
      await queue.startAll([
        ...workers.map((name) => ['worker', name, queue.workers] as const),
        ...processors.map((name) => ['webhook', name, queue.webhookProcessors] as const),
      ]);
      return queue;
    } catch (error) {
      await queue.stop();
      throw error;
    }
  }

  /** The main process, which has the editor and the REST API. */
  get main(): N8nInstance {
    if (!this.mainInstance) throw new Error('The main process has not been started.');
    return this.mainInstance;
  }

  /** Every running n8n process by its name. */
  get processes(): Map<string, N8nProcess | N8nInstance> {
    return new Map<string, N8nProcess | N8nInstance>([
      ['main', this.main],
      ...this.workers.map((worker, index) => [`worker-${index + 1}`, worker] as const),
      ...this.webhookProcessors.map((each, index) => [`webhook-${index + 1}`, each] as const),
    ]);
  }

  /** Starts the main process, at first or after it was killed. */
  async startMain(): Promise<void> {
    this.mainInstance = await N8nInstance.start({
      userFolder: this.userFolder('main'),
      environment: this.environmentOf('main'),
    });
  }

  /** Starts a worker in place of the one with this index, which was killed. */
  async restartWorker(index: number): Promise<void> {
    this.workers[index] = await this.startProcess('worker', `worker-${index + 1}`);
  }

  /** Starts a webhook processor in place of the one with this index, which was killed. */
  async restartWebhookProcessor(index: number): Promise<void> {
    this.webhookProcessors[index] = await this.startProcess('webhook', `webhook-${index + 1}`);
  }

  /**
   * Takes the package away from a process, which must be started again to notice.
   *
   * @param name such as `worker-1`
   * @returns a function that brings the package back
   */
  async hidePackage(name: string): Promise<() => Promise<void>> {
    const visible = join(this.userFolder(name), '.n8n', 'nodes');
    const hidden = `${visible}-hidden`;
    await rename(visible, hidden);
    return async () => {
      await rm(visible, { recursive: true, force: true });
      await rename(hidden, visible);
    };
  }

  /** Stops every process. Tries all of them, even if one fails to stop. */
  async stop(): Promise<void> {
    const results = await Promise.allSettled([
      this.proxy.close(),
      this.mainInstance?.stop(),
      ...[...this.workers, ...this.webhookProcessors].map((process) => process.stop()),
    ]);
    results.push(...(await Promise.allSettled([this.redis.stop(), this.postgres.stop()])));
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    if (failures.length > 0) throw new AggregateError(failures, 'Not every process stopped.');
  }

  private userFolder(name: string): string {
    return join(this.folder, name);
  }

  /** Starts processes at the same time. Lists those that started, even if another one does not. */
  private async startAll(
    processes: ReadonlyArray<readonly [role: Role, name: string, list: N8nProcess[]]>,
  ): Promise<void> {
    const results = await Promise.allSettled(
      processes.map(async ([role, name]) => await this.startProcess(role, name)),
    );
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') processes[index]?.[2].push(result.value);
    }
    const failure = results.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }

  private async startProcess(role: Role, name: string): Promise<N8nProcess> {
    return await N8nProcess.start({
      role,
      userFolder: this.userFolder(name),
      environment: this.environmentOf(name),
    });
  }

  private environmentOf(name: string): Record<string, string> {
    return {
      ...this.postgres.environment,
      ...this.redis.environment,
      EXECUTIONS_MODE: 'queue',
      OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
      N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
      N8N_ENCRYPTION_KEY: this.encryptionKey,
      WEBHOOK_URL: this.proxy.origin,
      HOST_NAME: name,
      ...this.more,
    };
  }
}
