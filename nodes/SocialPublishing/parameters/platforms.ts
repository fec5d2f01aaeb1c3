const NAMES: Readonly<Record<string, string>> = {
  bluesky: 'Bluesky',
  discord: 'Discord',
  facebook: 'Facebook',
  google_business: 'Google Business Profile',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  mastodon: 'Mastodon',
  medium: 'Medium',
  pinterest: 'Pinterest',
  reddit: 'Reddit',
  snapchat: 'Snapchat',
  telegram: 'Telegram',
  threads: 'Threads',
  tiktok: 'TikTok',
  tumblr: 'Tumblr',
  twitch: 'Twitch',
  twitter: 'Twitter',
  vimeo: 'Vimeo',
  whatsapp: 'WhatsApp',
  wordpress: 'WordPress',
  x: 'X',
  youtube: 'YouTube',
};

/**
 * The name of a platform as its owner writes it; one that is not known here as the service writes it
 * (docs/service.md, "GET /accounts", `platform`).
 */
export const platformName = (identifier: string): string =>
  NAMES[identifier.toLowerCase()] ?? identifier;
