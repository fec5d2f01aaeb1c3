import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { samples } from '../../sandbox/samples';
import type { WorkflowFile } from '../../scripts/n8n/rest';

const folder = join(__dirname, '../../examples');
const examples = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, WorkflowFile] => [
    file,
    JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowFile,
  ]);

/** The part of the canvas that a node covers, in the canvas's units. */
interface Area {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A note covers its own size; a node covers its square and its name below. */
function areaOf({ name, type, position, parameters }: WorkflowFile['nodes'][number]): Area {
  const [left, top] = position;
  const isNote = type === 'n8n-nodes-base.stickyNote';
  const width = isNote ? Number(parameters['width']) : 96;
  const height = isNote ? Number(parameters['height']) : 140;
  return { name, left, top, right: left + width, bottom: top + height };
}

const overlap = (a: Area, b: Area) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test('there are examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
});

test.each(examples)('in %s, no node or note covers another', (_, { nodes }) => {
  const areas = nodes.map(areaOf);
  const covered = areas.flatMap((area, index) =>
    areas
      .slice(index + 1)
      .filter((other) => overlap(area, other))
      .map((other) => `${area.name} and ${other.name}`),
  );
  expect(covered).toEqual([]);
});

test.each(examples)(
  'in %s, each trigger has the sample of one of its events pinned',
  (_, { nodes, pinData = {} }) => {
    const triggers = nodes.filter(({ type }) => type.endsWith('.socialPublishingTrigger'));
    expect(Object.keys(pinData)).toEqual(triggers.map(({ name }) => name));
    for (const { name, parameters } of triggers) {
      const pinned = pinData[name]?.map(({ json }) => json);
      const selected = Object.entries(samples).filter(([event]) =>
        (parameters['events'] as string[]).includes(event),
      );
      expect(selected.map(([, { pinData: sample }]) => sample)).toContainEqual(pinned);
    }
  },
);
