import type { IExecuteFunctions } from 'n8n-workflow';

import { readTime, type TimeOptions, type TimeReading } from './times/times';
import { isEmpty } from './values';

/** The value of a parameter that is the same for all items. */
interface Fixed {
  readonly value: unknown;
}

const hasExpression = (entered: unknown): boolean =>
  typeof entered === 'string'
    ? entered.startsWith('=')
    : typeof entered === 'object' && entered !== null && Object.values(entered).some(hasExpression);

/** A field that holds one expression and nothing else. */
const EXPRESSION = /^=\s*\{\{(?<expression>(?:(?!\}\}|\{\{)[^])+)\}\}\s*$/;

/**
 * The parameters of one run of the node. A value without expressions is read once for all
 * items: to resolve it for each takes time and gives the same.
 */
export class Parameters {
  /** By their paths; `undefined` where n8n resolves them for each item. */
  private readonly fixed = new Map<string, Fixed | undefined>();

  /** The times that were read: a text in a zone always means the same. */
  private readonly times = new Map<string, TimeReading>();

  constructor(private readonly context: IExecuteFunctions) {}

  /** A parameter as the user entered it, with its expressions; `undefined` when it is not set. */
  entered(path: string): unknown {
    return this.context.getNodeParameter(path, 0, null, { rawExpressions: true }) ?? undefined;
  }

  /** The expression that a parameter holds and nothing else, such as `$json.date`. */
  expression(path: string): string | undefined {
    const entered = this.entered(path);
    return typeof entered === 'string'
      ? EXPRESSION.exec(entered)?.groups?.expression?.trim()
      : undefined;
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
    return hasExpression(this.entered(path)) ? undefined : { value: this.resolved(path, 0) };
  }

  private resolved(path: string, index: number): unknown {
    return this.context.getNodeParameter(path, index, null) ?? undefined;
  }

  /** What a time means: see {@link readTime}. */
  time(value: unknown, options: TimeOptions): TimeReading {
    if (typeof value !== 'string') return readTime(value, options);
    const key = JSON.stringify([value, options.zone.name, options.order]);
    const reading = this.times.get(key) ?? readTime(value, options);
    this.times.set(key, reading);
    return reading;
  }
}
