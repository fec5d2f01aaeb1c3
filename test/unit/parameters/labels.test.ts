import { create as createAgent } from '../../../nodes/SocialPublishing/operations/agent/create.operation';
import { update } from '../../../nodes/SocialPublishing/operations/agent/update.operation';
import { create } from '../../../nodes/SocialPublishing/operations/post/create.operation';
import { labelOf } from '../../../nodes/SocialPublishing/parameters/fieldReader';

test.each([
  ['content', 'Text'],
  ['scheduledAt', 'Date and Time'],
  ['accounts', 'Accounts'],
  ['accounts[0]', 'Accounts → Account 1'],
  ['overrides', 'Different for Some Accounts'],
  ['overrides.override[0]', 'Different for Some Accounts → Account 1'],
  ['overrides.override[11].content', 'Different for Some Accounts → Account 12 → Text'],
  [
    'overrides.override[1].socialAccountId',
    'Different for Some Accounts → Account 2 → Social Account',
  ],
  ['options.variantsJson', 'Options → Variants (JSON)'],
  ['options.variantsJson[1].mediaUrls', 'Options → Variants (JSON) 2 → mediaUrls'],
  ['options.keepRequests', 'Options → Keep Requests'],
  ['options.customBodyFields', 'Options → Custom Body Fields'],
  // What the node does not know is called what it is called.
  ['nothing.of[2].this', 'nothing → of 3 → this'],
  ['options.content', 'Options → content'],
])('in post create %s is called %s', (path, label) => {
  expect(labelOf(path, create.fields)).toBe(label);
});

test('in agent create config.aiProvider is called Config → AI Provider', () => {
  expect(labelOf('config.aiProvider', createAgent.fields)).toBe('Config → AI Provider');
});

test.each([
  ['agentId', 'Agent'],
  ['updateFields.isActive', 'Fields to Update → Active'],
  ['updateFields.config.aiProvider', 'Fields to Update → Config → AI Provider'],
])('in agent update %s is called %s', (path, label) => {
  expect(labelOf(path, update.fields)).toBe(label);
});
