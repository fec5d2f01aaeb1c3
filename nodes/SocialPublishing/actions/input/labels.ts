import type { INodeProperties } from 'n8n-workflow';

interface Named {
  readonly displayName: string;
  readonly name: string;
  readonly options?: readonly unknown[];
  readonly values?: readonly INodeProperties[];
}

const isNamed = (entry: unknown): entry is Named =>
  typeof entry === 'object' && entry !== null && 'displayName' in entry && 'name' in entry;

const within = (entry: Named): readonly Named[] => [
  ...(entry.values ?? []),
  ...(entry.options ?? []).filter(isNamed),
];

/**
 * The field at a parameter path as the user sees it: `variants.variant[1].content` is
 * "Variants → Variant 2 → Content".
 *
 * @param fields the fields among which the path begins
 */
export function labelOf(path: string, fields: readonly INodeProperties[]): string {
  const labels: string[] = [];
  let level: readonly Named[] = fields;
  for (const step of path.split('.')) {
    const [, name = step, index] = /^([^[]+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    const found = level.find((entry) => entry.name === name);
    labels.push(
      `${found?.displayName ?? name}${index === undefined ? '' : ` ${Number(index) + 1}`}`,
    );
    level = found === undefined ? [] : within(found);
  }
  return labels.join(' → ');
}
