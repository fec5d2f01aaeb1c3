import { N8nProcess, type ProcessOptions } from './process';
import { N8nApi, type Owner } from './rest';

/** The owner of every n8n that these scripts start. Each listens on 127.0.0.1 only. */
export const demoOwner: Owner = {
  email: 'demo@example.com',
  firstName: 'Demo',
  lastName: 'Owner',
  password: 'Social-Publishing-1',
};

export type InstanceOptions = Omit<ProcessOptions, 'role'>;

/** A running n8n with an editor and a REST API. Its owner is logged in. */
export class N8nInstance {
  readonly api: N8nApi;

  private constructor(private readonly process: N8nProcess) {
    this.api = new N8nApi(process.origin);
  }

  /**
   * Starts the installed n8n and logs in its owner. See `N8nProcess.start`.
   *
   * @throws SetupError when the port is in use, or when n8n doesn't start: with its last log lines
   */
  static async start(options: InstanceOptions): Promise<N8nInstance> {
    const instance = new N8nInstance(await N8nProcess.start(options));
    await instance.api.logIn(demoOwner);
    return instance;
  }

  /** The address of the editor and the webhooks, such as `http://127.0.0.1:5678`. */
  get origin(): string {
    return this.process.origin;
  }

  /** The file with all of n8n's output. */
  get logFile(): string {
    return this.process.logFile;
  }

  /** The number of the process. */
  get pid(): number {
    return this.process.pid;
  }

  /** Resolves when n8n has ended, for whatever reason. */
  get ended(): Promise<number | null> {
    return this.process.ended;
  }

  /** Stops n8n as a service manager does. It may finish running executions first. */
  async stop(): Promise<void> {
    await this.process.stop();
  }

  /** Kills n8n (SIGKILL), as a crash does. */
  async kill(): Promise<void> {
    await this.process.kill();
  }
}
