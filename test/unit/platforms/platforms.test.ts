import { platformName } from '../../../nodes/SocialPublishing/platforms/platforms';

test.each([
  ['instagram', 'Instagram'],
  ['x', 'X'],
  ['X', 'X'],
  ['linkedin', 'LinkedIn'],
  ['tiktok', 'TikTok'],
  ['youtube', 'YouTube'],
  ['bluesky', 'Bluesky'],
  ['whatsapp', 'WhatsApp'],
  ['friendster', 'friendster'],
  ['', ''],
])('%j is written %j', (identifier, name) => {
  expect(platformName(identifier)).toBe(name);
});
