import type { Zone } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';

import { readTime, type TimeReading } from './times';
import { isEmpty } from './values';

/** The value of a parameter that is the same for all items. */
interface Fixed {
  readonly value: unknown;
}

/** The default of the time zone, which gives the zone of the workflow for every item. */
const ZONE_OF_WORKFLOW = '={{ $now.zoneName }}';

const hasExpression = (entered: unknown): boolean =>
  typeof entered === 'string'
    ? entered.startsWith('=')
    : typeof entered === 'object' && entered !== null && Object.values(entered).some(hasExpression);

/**
 * The parameters of one run of the node. What is the same for all items is worked out once: n8n
 * resolves nothing for a value without expressions, but takes its time for each item.
 */
export class Parameters {
  /** By their paths; `undefined` where n8n resolves them for each item. */
  private readonly fixed = new Map<string, Fixed | undefined>();

  /** What texts mean in a zone. */
  private readonly times = new Map<string, TimeReading>();

  constructor(private readonly context: IExecuteFunctions) {}

  /** A parameter as the user entered it, with its expressions; `undefined` when it is not set. */
  entered(path: string): unknown {
    return this.context.getNodeParameter(path, 0, null, { rawExpressions: true }) ?? undefined;
  }

  /** A parameter as n8n resolves it for an item; `undefined` when it is not set. */
  value(path: string, index: number): unknown {
    if (!this.fixed.has(path)) this.fixed.set(path, this.readFixed(path));
    const fixed = this.fixed.get(path);
    if (fixed === undefined) return this.resolved(path, index);
    const { value } = fixed;
    return typeof value === 'object' && !isEmpty(value) ? structuredClone(value) : value;
  }

  private readFixed(path: string): Fixed | undefined {
    const entered = this.entered(path);
    if (entered === ZONE_OF_WORKFLOW) return { value: this.context.getTimezone() };
    return hasExpression(entered) ? undefined : { value: this.resolved(path, 0) };
  }

  private resolved(path: string, index: number): unknown {
    return this.context.getNodeParameter(path, index, null) ?? undefined;
  }

  /** What a time means: see {@link readTime}. */
  time(value: unknown, zone: Zone): TimeReading {
    if (typeof value !== 'string') return readTime(value, zone);
    const key = JSON.stringify([value, zone.name]);
    const reading = this.times.get(key) ?? readTime(value, zone);
    this.times.set(key, reading);
    return reading;
  }
}
