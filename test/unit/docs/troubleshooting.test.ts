import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import {
  createSourceFile,
  forEachChild,
  isStringLiteralLike,
  isTemplateLiteralToken,
  type Node,
  ScriptTarget,
} from 'typescript';

import { statusFailure } from '../../../nodes/SocialPublishing/service/messages';
import { repositoryDir } from '../../../scripts/n8n/paths';
import { headings, read } from './documents';
import { tableBelow } from './tables';

const DOCUMENT = 'docs/troubleshooting.md';

/** The texts of a node's source: its strings and what stands between the values of its templates. */
function textsIn(node: Node): string[] {
  const own = isStringLiteralLike(node) || isTemplateLiteralToken(node) ? [node.text] : [];
  const inside: string[] = [];
  forEachChild(node, (child) => void inside.push(...textsIn(child)));
  return [...own, ...inside];
}

/** All texts of the published code. Comments are no texts. */
const texts = ['credentials', 'nodes'].flatMap((folder) =>
  readdirSync(join(repositoryDir, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      textsIn(createSourceFile(file, read(join(folder, file)), ScriptTarget.Latest, true)),
    ),
);

const sections = headings(DOCUMENT).slice(1);
const quoted = sections.flatMap((heading) =>
  tableBelow(DOCUMENT, heading).map(([text = '']): [string, string] => [text, heading]),
);

/** The words of a quoted text that the code has in one piece. */
const pieces = (text: string): string[] =>
  text
    .replace(/^(Base URL|API Key) \(in the credential\)/, '')
    .split(/…| \(\d{3}\)/)
    .map((piece) => piece.trim())
    .filter((piece) => /[a-z]{2}/i.test(piece));

test('the document quotes texts', () => {
  expect(quoted.length).toBeGreaterThan(30);
});

test.each(quoted)('the code says: %s', (text) => {
  const missing = pieces(text).filter((piece) => !texts.some((known) => known.includes(piece)));
  expect(pieces(text)).not.toEqual([]);
  expect(missing).toEqual([]);
});

/** The message for a status, as the user reads it. */
const messageFor = (status: number, writes: boolean): string =>
  statusFailure(
    { responded: true, status, statusText: '', headers: {}, text: '' },
    {
      credential: {
        baseUrl: 'https://service.example/api/v1',
        apiKey: 'key',
        workspaceId: '1',
        data: {},
      },
      writes,
    },
    0,
  ).message;

test.each([
  [401, false],
  [403, false],
  [404, false],
  [409, true],
  [413, true],
  [422, true],
  [429, true],
  [500, false],
  [500, true],
])('the document has the message for status %i (a write: %s)', (status, writes) => {
  expect(quoted.map(([text]) => text)).toContain(messageFor(status, writes));
});
