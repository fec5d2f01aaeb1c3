import type { Head } from '../service/http/head';
import type { Objection } from './judge';

/** What a host calls a file whose type it does not know. */
const UNKNOWN_TYPES = new Set([
  'application/octet-stream',
  'application/x-download',
  'binary/octet-stream',
]);

const PAGES = new Set(['text/html', 'application/xhtml+xml']);

/** Whether some platform takes a file of the type; LinkedIn takes documents. */
const isTaken = (type: string): boolean =>
  (type.startsWith('image/') && type !== 'image/svg+xml') ||
  type.startsWith('video/') ||
  type === 'application/pdf' ||
  UNKNOWN_TYPES.has(type);

const SILENT = {
  blocked: [
    'which n8n is set up not to connect to',
    'The service may reach it nevertheless: open it in a browser.',
  ],
  slow: ['which did not answer in time', 'Open it in a browser, or try again.'],
  unreachable: ['which cannot be reached', 'Check the address.'],
  notAsked: [
    'which was not checked, because the others took too long',
    'Preview fewer items at once.',
  ],
} as const;

function problemOf(head: Head | undefined): readonly [problem: string, hint: string] | undefined {
  if (head === undefined) return SILENT.notAsked;
  if (!head.answered) return SILENT[head.why];
  const { status, type } = head;
  if (status === 404 || status === 410) {
    return [`where nothing is (${status})`, 'Check the address.'];
  }
  if (status === 401 || status === 403) {
    return [
      `which its host does not show to everyone (${status})`,
      'A link that is signed for downloads only may work as it is. Make any other file public.',
    ];
  }
  if (status >= 500) return [`which its host could not serve (${status})`, 'Try again later.'];
  if (status >= 300 || type === undefined || isTaken(type)) return undefined;
  return PAGES.has(type)
    ? ['which is a web page instead of a file', 'Enter the address of the file itself.']
    : [`which is of a type that no platform takes (${type})`, 'Enter a picture or a video.'];
}

/** Judges an address by its host's answer; 405 and the like say nothing. `undefined`: not asked. */
export function judgeHead(address: string, head: Head | undefined): Objection[] {
  const [problem, hint] = problemOf(head) ?? [];
  return problem === undefined || hint === undefined
    ? []
    : [{ about: 'mediaUrls', problem: `has ${address}, ${problem}`, hint }];
}

/** The MIME type that a host gives, unless it stands for any file. */
export const typeOf = (head: Head | undefined): string | undefined =>
  head?.answered === true &&
  head.status < 300 &&
  head.type !== undefined &&
  !UNKNOWN_TYPES.has(head.type)
    ? head.type
    : undefined;
