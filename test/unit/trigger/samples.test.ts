import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { eventKinds } from '../../../nodes/SocialPublishingTrigger/events';
import { samples } from '../../../sandbox/samples';

const documents = join(__dirname, '../../../docs');

const documentation = readFile(join(documents, 'trigger.md'), 'utf8');

/** The samples that the documentation links: whether the text says that they are documented, and the data. */
async function samplesInDocumentation(): Promise<Record<string, unknown>> {
  const text = await documentation;
  const [, documented = ''] = /The service documents the data of `([\w.]+)` only/.exec(text) ?? [];
  const links = [...text.matchAll(/^- \[([\w.]+)\]\((samples\/[\w.]+\.json)\)$/gm)];
  const samplesLinked = links.map(async ([, event = '', file = '']): Promise<[string, unknown]> => {
    const pinData = JSON.parse(await readFile(join(documents, file), 'utf8')) as unknown;
    return [event, { dataDocumented: event === documented, pinData }];
  });
  return Object.fromEntries(await Promise.all(samplesLinked));
}

test('the documentation has the sample of each event, and says which data is documented', async () => {
  const expected = Object.entries(samples).map(([event, { dataDocumented, pinData }]) => [
    event,
    { dataDocumented, pinData },
  ]);

  expect(await samplesInDocumentation()).toEqual(Object.fromEntries(expected));
});

test('the documentation shows the sample whose data is documented', async () => {
  const [, shown = ''] = /```json\n([\s\S]*?)\n```/.exec(await documentation) ?? [];

  expect([JSON.parse(shown)]).toEqual(samples['post.published'].pinData);
});

test('each event that the trigger offers has a sample', () => {
  expect(eventKinds.map(({ value }) => value).sort()).toEqual(Object.keys(samples).sort());
});
