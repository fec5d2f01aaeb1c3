import { parseUrl } from '../../../../shared/url';

/** A link that opens a page around a file instead of the file. */
interface ViewerLink {
  /** Whose page it is. */
  readonly of: 'Dropbox' | 'Google Drive';
  /** The address of the file itself; `undefined` for a folder, which has none. */
  readonly direct: string | undefined;
}

function googleDrive({ pathname, searchParams }: URL): ViewerLink | undefined {
  const of = 'Google Drive';
  if (/^\/drive\/(?:u\/\d+\/)?folders\//.test(pathname)) return { of, direct: undefined };
  const [, inPath] = /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(pathname) ?? [];
  const id = inPath ?? (pathname === '/open' ? searchParams.get('id') : undefined);
  if (id === undefined || id === null || id === '') return undefined;
  const key = searchParams.get('resourcekey');
  const more = key === null ? '' : `&resourcekey=${encodeURIComponent(key)}`;
  return {
    of,
    direct: `https://drive.google.com/uc?export=download&id=${encodeURIComponent(id)}${more}`,
  };
}

function dropbox(url: URL): ViewerLink | undefined {
  const of = 'Dropbox';
  if (/^\/(?:sh|scl\/fo)\//.test(url.pathname)) return { of, direct: undefined };
  if (!/^\/(?:s|scl\/fi)\//.test(url.pathname)) return undefined;
  if (url.searchParams.get('dl') === '1' || url.searchParams.get('raw') === '1') return undefined;
  const direct = new URL(url);
  direct.searchParams.set('dl', '1');
  return { of, direct: direct.href };
}

/**
 * Tells by its address alone whether a link opens a viewer of Google Drive or Dropbox.
 *
 * @returns `undefined` for every other address
 */
export function viewerLink(address: string): ViewerLink | undefined {
  const url = parseUrl(address);
  if (url === undefined) return undefined;
  if (url.hostname === 'drive.google.com') return googleDrive(url);
  return /^(?:www\.)?dropbox\.com$/.test(url.hostname) ? dropbox(url) : undefined;
}
