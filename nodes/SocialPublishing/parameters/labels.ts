import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

type Named = INodeProperties | INodePropertyCollection;

/** The fields in a collection or a fixed collection; a choice has none. */
const within = (entry: Named): readonly Named[] =>
  'values' in entry
    ? entry.values
    : (entry.options ?? []).filter((option) => 'displayName' in option);

/**
 * The field at a parameter path as the user sees it: `overrides.override[1].content` is
 * "Different for Some Accounts → Account 2 → Text".
 *
 * @param fields where the path begins
 */
export function labelOf(path: string, fields: readonly INodeProperties[]): string {
  const labels: string[] = [];
  let level: readonly Named[] = fields;
  for (const step of path.split('.')) {
    const [, name = step, index] = /^(.+)\[(\d+)\]$/.exec(step) ?? [];
    const found = level.find((entry) => entry.name === name);
    const label = found?.displayName ?? name;
    const number = index === undefined ? '' : ` ${Number(index) + 1}`;
    // The entries of a list of choices are named in the singular: "Accounts → Account 1".
    if (
      found !== undefined &&
      'type' in found &&
      found.type === 'multiOptions' &&
      index !== undefined
    ) {
      labels.push(label, `${label.replace(/s$/, '')}${number}`);
    } else {
      labels.push(`${label}${number}`);
    }
    level = found === undefined ? [] : within(found);
  }
  return labels.join(' → ');
}
