import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type * as processMemory from '../../../../nodes/SocialPublishing/idempotency/processMemory';
import type * as memory from '../../../../nodes/SocialPublishing/run/memory';
import type { Report } from '../../../../nodes/SocialPublishing/run/outcomes';
import type * as write from '../../../../nodes/SocialPublishing/run/write';

/** What the code waits with. */
export interface Timers {
  sleep: (milliseconds: number) => Promise<void>;
}

/** What one item asks to be written. */
export interface Asked {
  readonly index: number;
  readonly uncertain: string;
  readonly body: IDataObject;
  readonly identity: { readonly full: unknown; readonly moment: number | undefined };
  readonly service: unknown;
}

/** One process of n8n: its own copy of the code, with its own memory. */
export interface Process {
  readonly isDead: boolean;
  /** Runs what the node runs for items that write. */
  write(context: IExecuteFunctions, items: readonly Asked[], concurrency: number): Promise<Report>;
  /** Checks, until the process dies or is started again, that it lives: never resolves after that. */
  lease(): () => Promise<void>;
  death(): Promise<void>;
  die(): void;
  /** Starts it anew, without any memory. */
  restart(): void;
}

type Modules = typeof memory & typeof processMemory & typeof write;

/** Loads the code once more, with timers of the test's own. */
export function newProcess(timers: Timers): Process {
  let modules: Modules;
  let epoch = 0;
  const lease = () => {
    const began = epoch;
    return async () => {
      if (epoch !== began) await new Promise<never>(() => undefined);
    };
  };
  const load = <T extends object>(path: string): T =>
    jest.requireActual<T>(`../../../../nodes/SocialPublishing/${path}`);
  const n8nWorkflow = jest.requireActual<object>('n8n-workflow');
  jest.isolateModules(() => {
    jest.doMock('n8n-workflow', () => ({
      ...n8nWorkflow,
      sleep: async (milliseconds: number) => {
        const alive = lease();
        await timers.sleep(milliseconds);
        await alive();
      },
    }));
    modules = {
      ...load<typeof write>('run/write'),
      ...load<typeof memory>('run/memory'),
      ...load<typeof processMemory>('idempotency/processMemory'),
    };
  });
  let isDead = false;
  let mourners: Array<() => void> = [];
  return {
    get isDead() {
      return isDead;
    },
    async write(context, items, concurrency) {
      const operation = {
        kind: 'write',
        endpoint: { method: 'POST', path: '/posts', field: 'post', answer: 'written' },
        did: 'created',
        noun: 'post',
        lookedFor: 'moment',
        write: ({ asked }: { asked: Asked }) => ({ body: asked.body, identity: asked.identity }),
      };
      const input = {
        settings: { concurrency },
        items: items.map((asked) => ({
          index: asked.index,
          service: asked.service,
          asked,
          oneOf: () => asked.uncertain,
          workspaceId: () => 1,
        })),
      };
      return await modules.write(
        context,
        operation as never,
        input as never,
        await modules.recollect(context, context.getContext('flow')),
      );
    },
    lease,
    async death() {
      await new Promise<void>((resolve) => mourners.push(resolve));
    },
    die() {
      isDead = true;
      epoch++;
      for (const mourn of mourners) mourn();
      mourners = [];
    },
    restart() {
      isDead = false;
      epoch++;
      Object.assign(modules.processMemory, modules.newProcessMemory());
    },
  };
}
