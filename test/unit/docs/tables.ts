import { read } from './documents';

/** The part of a document below a heading, up to the next heading. */
function section(document: string, heading: string): string {
  const lines = read(document).split('\n');
  const start = lines.findIndex(
    (line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading,
  );
  if (start === -1) throw new Error(`${document} has no heading "${heading}".`);
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n');
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));

/** The cells of each table below a heading, row by row, without its head and the marks of code. */
export function tablesBelow(document: string, heading: string): string[][][] {
  return section(document, heading)
    .split(/\n(?!\|)/)
    .map((part) => part.split('\n').filter((line) => line.startsWith('|')))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(cellsOf).slice(2));
}

/** The cells of the first table below a heading, row by row, without its head and the marks of code. */
export const tableBelow = (document: string, heading: string): string[][] =>
  tablesBelow(document, heading)[0] ?? [];

/** The code that each entry of a list below a heading begins with, list by list. */
export const listsBelow = (document: string, heading: string): string[][] =>
  section(document, heading)
    .split(/\n(?![- ] )/)
    .map((part) => [...part.matchAll(/^- `(.+?)`: /gm)].map(([, text = '']) => text))
    .filter((texts) => texts.length > 0);
