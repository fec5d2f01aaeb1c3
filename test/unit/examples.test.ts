import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { samples } from '../../sandbox/samples';
import type { WorkflowFile } from '../../scripts/n8n/rest';
import { type Area, overlaps } from '../support/areas';

const folder = join(__dirname, '../../examples');
const examples = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, WorkflowFile] => [
    file,
    JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowFile,
  ]);

/**
 * What a node covers, in the canvas's units. A note covers its own size; a node covers its square and
 * its name below.
 */
function areaOf({ name, type, position, parameters }: WorkflowFile['nodes'][number]): Area {
  const [left, top] = position;
  const isNote = type === 'n8n-nodes-base.stickyNote';
  const width = isNote ? Number(parameters['width']) : 96;
  const height = isNote ? Number(parameters['height']) : 140;
  return { name, left, top, right: left + width, bottom: top + height };
}

test('there are examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
});

test.each(examples)('in %s, no node or note covers another', (_, { nodes }) => {
  expect(overlaps(nodes.map(areaOf))).toEqual([]);
});

test.each(examples)('%s is in the index by its name, with a picture', (file, { name }) => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, entry = ''] = index.split(`\n### ${name}\n`);
  const own = entry.split('\n#')[0];
  expect(own).toContain(`](${file})`);
  expect(own).toContain(`](../docs/images/examples/${file.replace('.json', '.png')})`);
});

test.each(examples)('in %s, a note says what it does and what to fill in', (_, { name, nodes }) => {
  const [note] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
  const content = note?.parameters['content'] as string;
  expect(content.split('\n')[0]).toBe(`## ${name}`);
  expect(content).toContain('**Fill in:**');
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
