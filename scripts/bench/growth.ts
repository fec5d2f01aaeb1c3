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

async function cost(run: () => Promise<unknown>, size: number): Promise<Cost> {
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
  const sampling = setInterval(sample, 10);
  const start = performance.now();
  const cpu = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(cpu);
  const ms = performance.now() - start;
  sample();
  clearInterval(sampling);
  return {
    size,
    ms,
    cpuMs: (user + system) / 1000,
    blockedMs,
    mebibytes: (peak - before) / 2 ** 20,
  };
}

/** Measures each size, one after the other, while that ends soon. */
export async function costsOf({ sizes, prepare }: Growing): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const size of sizes) {
    const last = costs.at(-1);
    if (last !== undefined && last.ms > ENOUGH_MS) break;
    costs.push(await cost(await prepare(size), size));
  }
  return costs;
}

/** How many times as long as ten times less a size takes when it bends upwards: linear is 10. */
const BENDS = 15;

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
