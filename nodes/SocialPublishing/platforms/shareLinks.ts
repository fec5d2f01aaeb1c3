import { parseUrl } from '../../shared/url';

/** A link that people share, which opens a page around a file instead of the file. */
export interface ShareLink {
  readonly of: string;
  readonly opens: 'file' | 'folder' | 'page';
  /** Links of this kind: host, path and query. */
  readonly pattern: RegExp;
  /** The address of the file itself, where it has one. */
  readonly direct?: (url: URL, id: string) => string;
  /** Where it is said that it opens a page. */
  readonly source: string;
}

const FILE_ID = '(?<id>[\\w-]+)';

function driveFile({ searchParams }: URL, id: string): string {
  const key = searchParams.get('resourcekey');
  const more = key === null ? '' : `&resourcekey=${encodeURIComponent(key)}`;
  return `https://drive.google.com/uc?export=download&id=${id}${more}`;
}

function dropboxFile(url: URL): string {
  const direct = new URL(url);
  direct.searchParams.set('dl', '1');
  return direct.href;
}

/** When the sources were read. */
export const SOURCES_READ = '2026-11-23';

/** The first that fits decides. */
export const shareLinks: readonly ShareLink[] = [
  {
    of: 'Google Drive',
    opens: 'file',
    pattern: new RegExp(
      String.raw`^(?:drive|docs)\.google\.com/(?:file/(?:u/\d+/)?d/|open\?(?:.*&)?id=)${FILE_ID}`,
    ),
    direct: driveFile,
    source: 'https://getlate.dev/blog/google-drive-direct-download-urls-complete-guide',
  },
  {
    of: 'Google Drive',
    opens: 'folder',
    pattern: /^drive\.google\.com\/(?:drive|folderview|embeddedfolderview)\b/,
    source: 'https://rdrr.io/cran/googledrive/src/R/drive_browse.R',
  },
  {
    of: 'Google Docs',
    opens: 'page',
    pattern:
      /^docs\.google\.com\/(?:document|spreadsheets|presentation|forms|drawings)\/(?!.*\/export\b)/,
    source: 'https://pub.dev/documentation/googleapis/latest/drive_v3/File/webViewLink.html',
  },
  {
    of: 'Google Photos',
    opens: 'page',
    pattern: /^photos\.(?:app\.goo\.gl|google\.com)\//,
    source: 'https://www.imagetourl.cloud/google-photos-direct-link/',
  },
  {
    of: 'Dropbox',
    opens: 'file',
    pattern: /^(?:www\.)?dropbox\.com\/(?:s|scl\/fi)\/(?!.*[?&](?:dl|raw)=1\b)/,
    direct: dropboxFile,
    source: 'https://help.dropbox.com/share/force-download',
  },
  {
    of: 'Dropbox',
    opens: 'folder',
    pattern: /^(?:www\.)?dropbox\.com\/(?:sh|scl\/fo)\//,
    source: 'https://help.dropbox.com/share/set-link-permissions',
  },
  {
    of: 'OneDrive',
    opens: 'page',
    pattern: /^(?:1drv\.ms|onedrive\.live\.com)\/(?!download\b)/,
    source: 'https://learn.microsoft.com/en-us/onedrive/developer/rest-api/api/shares_get',
  },
  {
    of: 'SharePoint',
    opens: 'page',
    pattern: /^[\w-]+\.sharepoint\.com\/:\w:\/(?!.*[?&]download=1\b)/,
    source: 'https://learn.microsoft.com/en-us/graph/api/shares-get',
  },
  {
    of: 'iCloud',
    opens: 'page',
    pattern: /^(?:www\.|share\.)?icloud\.com\//,
    source: 'https://tinygrab.com/what-is-an-icloud-link/',
  },
  {
    of: 'WeTransfer',
    opens: 'page',
    pattern: /^(?:we\.tl|(?:[\w-]+\.)?wetransfer\.com)\//,
    source: 'https://help.wetransfer.com/hc/en-us/articles/22325866917010',
  },
  {
    of: 'Canva',
    opens: 'page',
    pattern: /^(?:www\.)?canva\.com\/design\//,
    source: 'https://eit.ces.ncsu.edu/using-canva-enterprise/sharing-and-collaborating-with-canva',
  },
];

/** A link, with the address of its file where it has one. */
interface ShareLinkFound extends Pick<ShareLink, 'of' | 'opens'> {
  readonly file: string | undefined;
}

/** Recognizes a share link by its address alone. */
export function shareLinkAt(address: string): ShareLinkFound | undefined {
  const url = parseUrl(address);
  if (url === undefined) return undefined;
  const { hostname, pathname, search } = url;
  for (const { of, opens, pattern, direct } of shareLinks) {
    const match = pattern.exec(`${hostname}${pathname}${search}`);
    if (match !== null) return { of, opens, file: direct?.(url, match.groups?.id ?? '') };
  }
  return undefined;
}
