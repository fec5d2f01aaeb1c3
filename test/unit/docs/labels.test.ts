import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { SocialPublishingApi } from '../../../credentials/SocialPublishingApi.credentials';
import { SocialPublishingWebhookApi } from '../../../credentials/SocialPublishingWebhookApi.credentials';
import { SocialPublishing } from '../../../nodes/SocialPublishing/SocialPublishing.node';
import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';
import { documents, read } from './documents';

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** The label of each field and choice, and of each choice the label of its field: `Respond`, `Immediately`. */
function labelsOf(entries: readonly Entry[], field = ''): Array<[field: string, choice?: string]> {
  return entries.flatMap((entry): Array<[string, string?]> => {
    if ('values' in entry) return [[entry.displayName], ...labelsOf(entry.values)];
    if (!('type' in entry)) return [[field, entry.name]];
    const { displayName, options = [] } = entry;
    return [[displayName], ...labelsOf(options, displayName)];
  });
}

const described = [
  new SocialPublishing().description,
  new SocialPublishingTrigger().description,
  new SocialPublishingApi(),
  new SocialPublishingWebhookApi(),
];

const labels = described.flatMap(({ properties }) => labelsOf(properties));

/** What the documents set in italics: names of the editor, most of the time. */
const italics = documents.flatMap((file) => {
  const prose = read(file)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']');
  return [...prose.matchAll(/(?<!\w)_([A-Z][^_]*)_(?!\w)/g)].map(([, text = '']) => ({
    file,
    text: text.replace(/\s+/g, ' '),
  }));
});

/** Several words with capitals, as the labels of these nodes have them: `Keep Requests`. */
const looksLikeLabel = (text: string): boolean =>
  text.includes(' ') &&
  text.split(' ').every((word) => /^[A-Z(]/.test(word) || word.length < 4 || word === 'from');

/** Names of n8n itself that look like one. */
const ofN8n = ['On Error: Continue', 'Remove Duplicates', 'Retry On Fail'];

test('what looks like a label in the documents is one', () => {
  const known = new Set([
    ...labels.flatMap(([field, choice]) => [field, choice, `${field}: ${choice}`]),
    // The unit of a field may be left out.
    ...labels.map(([field]) => field.replace(' (Minutes)', '')),
    ...described.map(({ displayName }) => displayName),
    ...ofN8n,
  ]);
  const named = italics.filter(({ text }) => looksLikeLabel(text));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ text }) => !known.has(text))).toEqual([]);
});

test('the documents of both nodes name each option', () => {
  const optionsOf = ({ properties }: { properties: INodeProperties[] }) =>
    properties.filter(({ name }) => name === 'options').flatMap(({ options = [] }) => options);
  const missing = (
    [
      [new SocialPublishing(), 'docs/node.md'],
      [new SocialPublishingTrigger(), 'docs/trigger.md'],
    ] as const
  ).flatMap(([{ description }, file]) => {
    const text = read(file).replace(/\s+/g, ' ');
    const names = optionsOf(description).map((option) =>
      'displayName' in option ? option.displayName : '',
    );
    expect(names.length).toBeGreaterThan(2);
    // The unit of a field may be left out.
    return names.filter((name) => !text.includes(name.replace(' (Minutes)', '')));
  });
  expect(missing).toEqual([]);
});
