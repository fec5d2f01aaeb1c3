import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isResourceLocatorValue } from 'n8n-workflow';

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

const NOTE = 'n8n-nodes-base.stickyNote';

/** The language model that the examples name. */
const MODEL = 'gpt-5-mini';

/** What notes name in bold that isn't a node of theirs. */
const NO_NODES = [
  'Execute workflow',
  'Data tables',
  'Approve',
  'Decline',
  'Result',
  'Remove Duplicates',
  'Insert',
  'Checkbox',
];

/**
 * What a node covers, in the canvas's units. A note covers its own size; a node covers its square and
 * its name below.
 */
function areaOf({ name, type, position, parameters }: WorkflowFile['nodes'][number]): Area {
  const [left, top] = position;
  const isNote = type === NOTE;
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

const GREY = 7;
const notesOf = ({ nodes }: WorkflowFile) =>
  nodes
    .filter(({ type }) => type === NOTE)
    .map(({ parameters: { content, color } }) => ({ content: content as string, color }));

describe.each(examples)('%s is what the template library asks for', (_, file) => {
  const { name, nodes } = file;
  const [main, ...others] = notesOf(file);

  test('a yellow note says whom it is for, how it works and how to set it up', () => {
    const lines = main?.content.split('\n') ?? [];
    expect(lines[0]).toBe(`## ${name}`);
    expect(lines[1]).toMatch(/^(For|A) .+\.$/);
    expect(lines.filter((line) => line.startsWith('### ')).slice(0, 2)).toEqual([
      '### How it works',
      '### Set up',
    ]);
    expect(main?.content).toContain('**Execute workflow**');
    expect(main?.color).toBeUndefined();
  });

  test('grey notes say the rest', () => {
    expect(others.map(({ color }) => color)).toEqual(others.map(() => GREY));
  });

  test('what a note names in bold is a node, or something of the editor', () => {
    const names = [main, ...others].flatMap((note) =>
      [...(note?.content ?? '').matchAll(/\*\*(.+?)\*\*/g)].map(([, bold]) => bold),
    );
    const known = new Set([...nodes.map((node) => node.name), ...NO_NODES]);
    expect(names.filter((bold = '') => !known.has(bold))).toEqual([]);
  });

  test('no node has the name that n8n gave it', () => {
    const given =
      /^(Social Publishing|OpenAI|Edit Fields|HTTP Request|Filter|If|Switch|When clicking)/;
    expect(nodes.map((node) => node.name).filter((own) => given.test(own))).toEqual([]);
  });

  test('no address or document of a person', () => {
    const addresses = JSON.stringify(file).match(/[\w.-]+@[\w-]+(\.[\w-]+)+/g) ?? [];
    expect(addresses.filter((address) => !address.includes('example'))).toEqual([]);
    const chosen = nodes
      .filter(({ type }) => !type.startsWith('n8n-nodes-social-publishing.'))
      .flatMap(({ parameters }) => Object.values(parameters))
      .filter(isResourceLocatorValue)
      .filter(({ mode, value }) => mode !== 'name' && value !== '' && value !== MODEL);
    expect(chosen).toEqual([]);
  });
});

/** The examples that are submitted to n8n's library: each file and its title there. */
const submitted = Object.entries(
  JSON.parse(readFileSync(join(folder, '../scripts/release/templates.json'), 'utf8')) as Record<
    string,
    string
  >,
);

test('some examples are to be submitted to the template library', () => {
  expect(submitted.length).toBeGreaterThan(0);
});

test.each(submitted)('%s is to be submitted as "%s"', (file, title) => {
  const [, example] = examples.find(([name]) => name === file) ?? [];
  expect(title).toMatch(/^[A-Z][a-z]+ .+ (from|in|to) .+ with .*Social Publishing$/);
  const text = example ? notesOf(example).map(({ content }) => content) : [];
  const words = text.join(' ').split(/\s+/).length;
  // About 200 are asked for.
  expect(words).toBeGreaterThanOrEqual(80);
  expect(words).toBeLessThanOrEqual(300);
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
