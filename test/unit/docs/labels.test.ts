import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { SocialPublishingApi } from '../../../credentials/SocialPublishingApi.credentials';
import { SocialPublishingWebhookApi } from '../../../credentials/SocialPublishingWebhookApi.credentials';
import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import { eventKinds } from '../../../nodes/SocialPublishingTrigger/events';
import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';
import { documents, read } from './documents';

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/**
 * What the editor calls fields and choices, and each choice after its field: `Respond: Immediately`.
 * A document may leave out the unit of a field.
 */
function labelsOf(entries: readonly Entry[], field = ''): string[] {
  return entries.flatMap((entry) => {
    if ('values' in entry) return [entry.displayName, ...labelsOf(entry.values)];
    if (!('type' in entry)) return [entry.name, `${field}: ${entry.name}`];
    const { displayName, options = [] } = entry;
    return [displayName, displayName.replace(' (Minutes)', ''), ...labelsOf(options, displayName)];
  });
}

/** What n8n itself calls its buttons, settings, nodes and states, and what it says. */
const N8N = [
  'Crashed',
  'Error',
  'Execute step',
  'Now',
  'On Error: Continue',
  'Remove Duplicates',
  'Retry',
  'Retry On Fail',
  'Save execution progress',
  'Stop',
  'Unrecognized node type',
];

const nodes = [new SocialPublishing().description, new SocialPublishingTrigger().description];
const credentials = [new SocialPublishingApi(), new SocialPublishingWebhookApi()];

const known = new Set([
  ...[...nodes, ...credentials].flatMap(({ displayName, properties }) => [
    displayName,
    ...labelsOf(properties),
  ]),
  // How n8n names a new credential.
  ...credentials.map(({ displayName }) => displayName.replace(/API$/, 'account')),
  ...eventKinds.map(({ output }) => output),
  'Other',
  ...N8N,
]);

const named = documents.flatMap((file) => {
  const prose = read(file)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']');
  return [...prose.matchAll(/(?<!\w)_([A-Z][^_]*)_(?!\w)/g)].map(
    ([, label = '']): [string, string] => [file, label.replace(/\s+/g, ' ')],
  );
});

test('the documents name labels', () => {
  expect(named.length).toBeGreaterThan(50);
});

test('what the documents set in italics is a label as it is in the editor', () => {
  expect(named.filter(([, label]) => !known.has(label))).toEqual([]);
});
