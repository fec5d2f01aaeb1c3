import { skipWaitsBetweenTries } from '../harness';
import { type Cell, columns, runCell } from './columns';
import { type Row, rows } from './rows';

const cells = new Map<string, Cell>();

const nameOf = (row: string, column: string) => `${row} | ${column}`;

const cellOf = (row: Row, column: string): Cell => {
  const cell = cells.get(nameOf(row.name, column));
  if (!cell) throw new Error(`No cell "${nameOf(row.name, column)}" was run`);
  return cell;
};

beforeAll(async () => {
  skipWaitsBetweenTries();
  for (const row of rows) {
    // At the same time, they would wait for each other's clock.
    for (const column of columns) {
      cells.set(nameOf(row.name, column.name), await runCell(column, row.trouble));
    }
  }
}, 600_000);

/** A cell as it is printed: the requests that went out, and how it ended; behind `+` what it left. */
function inShort({ sees, claims, requests, exists }: Cell): string {
  const end = [
    [/^\d+ records$/.test(sees), 'ok'],
    [claims.includes('uncertain'), 'open'],
    [true, 'fails'],
  ].find(([applies]) => applies)?.[1];
  return `${requests} ${String(end)}${exists > 0 ? ` +${exists}` : ''}`;
}

afterAll(() => {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, texts: string[]) =>
    [name.padEnd(width), ...texts.map((text) => text.padEnd(14))].join(' ').trimEnd();
  const lines = [
    'Requests that went out, how it ended (ok, fails, open: reported as uncertain), +what exists then',
    line(
      '',
      columns.map(({ name }) => name),
    ),
    ...rows.map((row) =>
      line(
        row.name,
        columns.map(({ name }) => inShort(cellOf(row, name))),
      ),
    ),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
});

describe.each(rows)('$name', (row) => {
  test.each(columns)('$name', (column) => {
    const expected = row.outcome[column.kind];

    expect(cellOf(row, column.name)).toEqual({
      ...expected,
      requests: expected.requests + (column.more ?? 0),
      sees: expected.sees.replace('{count}', String(column.records)),
      falseClaims: [],
    });
  });
});
