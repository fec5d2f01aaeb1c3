import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { eventKinds } from '../../../nodes/SocialPublishingTrigger/events';
import { samples } from '../../../sandbox/samples';

const documentation = readFile(join(__dirname, '../../../docs/trigger.md'), 'utf8');

/** The samples in the documentation: whether the text says that they are documented, and the data. */
async function samplesInDocumentation(): Promise<Record<string, unknown>> {
  const text = await documentation;
  const [, documented = ''] = /The service documents the data of `([\w.]+)` only/.exec(text) ?? [];
  const pattern = /^### ([\w.]+)\n\n```json\n([\s\S]*?)\n```$/gm;
  return Object.fromEntries<unknown>(
    [...text.matchAll(pattern)].map(([, event = '', json = '']) => [
      event,
      { dataDocumented: event === documented, pinData: JSON.parse(json) as unknown },
    ]),
  );
}

test('the documentation has the sample of each event, and says which data is documented', async () => {
  const expected = Object.entries(samples).map(([event, { dataDocumented, pinData }]) => [
    event,
    { dataDocumented, pinData },
  ]);

  expect(await samplesInDocumentation()).toEqual(Object.fromEntries(expected));
});

test('each event that the trigger offers has a sample', () => {
  expect(eventKinds.map(({ value }) => value).sort()).toEqual(Object.keys(samples).sort());
});
