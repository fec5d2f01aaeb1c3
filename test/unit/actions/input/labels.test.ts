import { upsert } from '../../../../nodes/SocialPublishing/actions/agent/upsert.operation';
import { labelOf } from '../../../../nodes/SocialPublishing/actions/input/labels';
import { create } from '../../../../nodes/SocialPublishing/actions/post/create.operation';

test.each([
  ['scheduledAt', 'Scheduled At'],
  ['variants', 'Variants'],
  ['variants.variant[0]', 'Variants → Variant 1'],
  ['variants.variant[11].content', 'Variants → Variant 12 → Content'],
  ['variants.variant[1].socialAccountId', 'Variants → Variant 2 → Social Account'],
  ['variantsJson', 'Variants (JSON)'],
  ['variantsJson[1].mediaUrls', 'Variants (JSON) 2 → mediaUrls'],
  ['options.keepRequests', 'Options → Keep Requests'],
  ['additionalFields.customBodyFields', 'Additional Fields → Custom Body Fields'],
  // What the node does not know is called what it is called.
  ['nothing.of[2].this', 'nothing → of 3 → this'],
  ['options.content', 'Options → content'],
])('in post create %s is called %s', (path, label) => {
  expect(labelOf(path, create.fields)).toBe(label);
});

test.each([
  ['config.aiProvider', 'Config → AI Provider'],
  ['additionalFields.agentId', 'Additional Fields → Agent to Update'],
])('in agent upsert %s is called %s', (path, label) => {
  expect(labelOf(path, upsert.fields)).toBe(label);
});
