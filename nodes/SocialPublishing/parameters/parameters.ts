import type { IExecuteFunctions } from 'n8n-workflow';

import { isEmpty } from './values';

const hasExpression = (entered: unknown): boolean =>
  typeof entered === 'string'
    ? entered.startsWith('=')
    : typeof entered === 'object' && entered !== null && Object.values(entered).some(hasExpression);

/** The parameters of a run. What has no expressions is read once for all items, which takes less time. */
export class Parameters {
  /** By their paths; `undefined` where n8n resolves them for each item. */
  private readonly fixed = new Map<string, { readonly value: unknown } | undefined>();

  constructor(private readonly context: IExecuteFunctions) {}

  /** A parameter as the user entered it, with its expressions; `undefined` when it is not set. */
  entered(path: string): unknown {
    return this.context.getNodeParameter(path, 0, null, { rawExpressions: true }) ?? undefined;
  }

  /** A parameter as n8n resolves it for an item; `undefined` when it is not set. */
  value(path: string, index: number): unknown {
    if (!this.fixed.has(path)) {
      const isFixed = !hasExpression(this.entered(path));
      this.fixed.set(path, isFixed ? { value: this.resolved(path, 0) } : undefined);
    }
    const fixed = this.fixed.get(path);
    if (fixed === undefined) return this.resolved(path, index);
    const { value } = fixed;
    return typeof value === 'object' && !isEmpty(value) ? structuredClone(value) : value;
  }

  private resolved(path: string, index: number): unknown {
    return this.context.getNodeParameter(path, index, null) ?? undefined;
  }
}
