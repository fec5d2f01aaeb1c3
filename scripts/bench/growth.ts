import { setTimeout } from 'node:timers/promises';

import type { N8nInstance } from '../n8n/instance';
import { cpuOf, memoryTaken } from './of-process';

/** Something that grows: a run with so many of something. */
export interface Growing {
  readonly name: string;
  /** How many there are at 1×, 10× and 100×. */
  readonly sizes: readonly number[];
  /** Makes everything that isn't measured, and returns what is. */
  readonly prepare: (size: number) => Promise<() => Promise<unknown>>;
}

/** What one run took. */
export interface Cost {
  readonly size: number;
  readonly ms: number;
  /** The time of the processor, in milliseconds: what else runs on the machine doesn't count. */
  readonly cpuMs: number;
  /** The longest time in which nothing else could run, in milliseconds. */
  readonly blockedMs: number;
  readonly mebibytes: number;
}

/** A size isn't measured when the one before took so long, in milliseconds. */
const ENOUGH_MS = 12_000;

/** Measures what a run takes, but for its time. */
export type Meter = (run: () => Promise<unknown>) => Promise<Omit<Cost, 'size' | 'ms'>>;

const SAMPLE_MS = 10;

/** What this process takes. */
export const ofThisProcess: Meter = async (run) => {
  (globalThis as { gc?: () => void }).gc?.();
  const before = process.memoryUsage().heapUsed;
  let peak = before;
  let blockedMs = 0;
  let last = performance.now();
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage().heapUsed);
    blockedMs = Math.max(blockedMs, performance.now() - last);
    last = performance.now();
  };
  const sampling = setInterval(sample, SAMPLE_MS);
  const cpu = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(cpu);
  sample();
  clearInterval(sampling);
  return { cpuMs: (user + system) / 1000, blockedMs, mebibytes: (peak - before) / 2 ** 20 };
};

/** What an n8n takes. Its longest block is the longest time that it took to answer how it is. */
export const ofInstance =
  ({ pid, origin }: N8nInstance): Meter =>
  async (run) => {
    let blockedMs = 0;
    let isOver = false;
    const ask = async () => {
      while (!isOver) {
        const asked = performance.now();
        await (await fetch(`${origin}/healthz`)).text();
        blockedMs = Math.max(blockedMs, performance.now() - asked);
        await setTimeout(SAMPLE_MS);
      }
    };
    const asking = ask();
    const cpu = await cpuOf(pid);
    const mebibytes = await memoryTaken(pid, run);
    const cpuMs = (await cpuOf(pid)) - cpu;
    isOver = true;
    await asking;
    return { cpuMs, blockedMs, mebibytes };
  };

/** Measures each size, one after the other, while that ends soon. */
export async function costsOf({ sizes, prepare }: Growing, meter: Meter): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const size of sizes) {
    const last = costs.at(-1);
    if (last !== undefined && last.ms > ENOUGH_MS) break;
    const run = await prepare(size);
    let ms = 0;
    const taken = await meter(async () => {
      const start = performance.now();
      await run();
      ms = performance.now() - start;
    });
    costs.push({ size, ms, ...taken });
  }
  return costs;
}

/** How many times as long as ten times less a size takes when it bends upwards: linear is 10. */
const BENDS = 15;

export const HEADING =
  '| What grows | 1× | 10× | 100× | 100× over 10× |\n| --- | --- | --- | --- | --- |';

/** One line of the table: time, processor, longest block and memory of each size, and whether it bends upwards. */
export function growthLine(name: string, costs: readonly Cost[]): string {
  const [, ten, hundred] = costs;
  const times = ten && hundred ? hundred.cpuMs / ten.cpuMs : NaN;
  const cells = costs.map(
    ({ size, mebibytes, ...cost }) =>
      `${size.toLocaleString('en')}: ${[cost.ms, cost.cpuMs, cost.blockedMs].map((ms) => `${Math.round(ms)} ms`).join(', ')}, ${Math.round(mebibytes)} MiB`,
  );
  const verdict = Number.isNaN(times)
    ? 'not measured'
    : `${times.toFixed(1)}${times > BENDS ? ' bends' : ''}`;
  return `| ${[name, ...cells, ...Array<string>(3 - cells.length).fill('–'), verdict].join(' | ')} |`;
}
