import { parseUrl } from '../../shared/url';
import { isRefusal, type Reading } from './reading';
import { readTexts } from './text';
import { quote } from './values';

/**
 * What separates URLs in a text: white space, or a comma, semicolon or bar before another URL or at the
 * end. Inside a URL, these three belong to it.
 */
export const BETWEEN_URLS = /\s*[,;|]?\s+|[,;|](?=https?:\/\/|$)/i;

const NOT_ALLOWED = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu;

/** Brackets are allowed in the host alone, where they hold an IPv6 address. */
const encodeBrackets = (text: string): string => text.replaceAll('[', '%5B').replaceAll(']', '%5D');

/**
 * An absolute http or https URL as a strict reader takes it (RFC 3986): what is not allowed in a URL
 * is percent-encoded, what is encoded is left alone.
 *
 * @returns the URL, or `undefined` when the text is none
 */
export function mediaUrl(text: string): string | undefined {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) return undefined;
  const [, start = '', tail = ''] =
    /^(https?:\/\/[^/?#]*)(.*)$/i.exec(parseUrl(trimmed)?.href ?? '') ?? [];
  const [before, ...fragments] = encodeBrackets(tail)
    .replace(NOT_ALLOWED, (character) => encodeURIComponent(character))
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .split('#');
  const fragment = fragments.length === 0 ? '' : `#${fragments.join('%23')}`;
  return start === '' ? undefined : `${start}${before}${fragment}`;
}

/** Reads the absolute URLs that a field lists, as a strict reader takes them: see {@link mediaUrl}. */
export function readMediaUrls(value: unknown): Reading<string[]> {
  const texts = readTexts(value, BETWEEN_URLS);
  if (isRefusal(texts)) return texts;
  const urls: string[] = [];
  for (const text of texts.value ?? []) {
    const url = mediaUrl(text);
    if (url === undefined) {
      return {
        problem: `contains ${quote(text)}, which is not an absolute URL`,
        hint: 'Enter the full address, beginning with https:// or http://. Write a space in it as %20.',
      };
    }
    urls.push(url);
  }
  return { value: urls };
}
