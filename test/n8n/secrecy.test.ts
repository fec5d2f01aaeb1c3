import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { Bench } from './support/bench';
import { readShared } from './support/shared';

const runs: INodeParameters[] = [
  { resource: 'account', operation: 'getAll', options: { includeQuota: true } },
  { resource: 'agent', operation: 'getAll' },
  { resource: 'analytics', operation: 'get', period: '7d' },
  { resource: 'post', operation: 'getAll', limit: 2 },
  { resource: 'agent', operation: 'create', name: 'Scout', type: 'seo' },
];

/** Every file below a folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('the key is in no execution record, log or file of n8n', async () => {
  const bench = await Bench.open();
  const records: string[] = [];
  const { faults } = bench.sandbox;
  try {
    for (const parameters of runs) {
      records.push((await bench.run(parameters)).execution.raw);
      for (const fault of [
        // A careless service or proxy that repeats what it was sent.
        { kind: 'status', status: 422, body: { message: `Bearer ${bench.apiKey} is bad` } },
        { kind: 'status', status: 500, body: `<p>Authorization: Bearer ${bench.apiKey}</p>` },
        { kind: 'html' },
        { kind: 'reset' },
        { kind: 'wrongShape', body: { sent: bench.apiKey } },
      ] as const) {
        faults.clear();
        faults.add(fault);
        const { execution } = await bench.run(parameters);
        expect(execution.status).toBe('error');
        records.push(execution.raw);
      }
      faults.clear();
    }
  } finally {
    await bench.close();
  }
  expect(records).toHaveLength(30);
  expect(records.filter((record) => record.includes(bench.apiKey))).toEqual([]);

  const { userFolder, logFile } = readShared();
  const files = await filesBelow(userFolder);
  expect(files).toEqual(
    expect.arrayContaining([logFile, join(userFolder, '.n8n', 'database.sqlite')]),
  );
  const leaks: string[] = [];
  for (const file of files) {
    if ((await readFile(file)).includes(bench.apiKey)) leaks.push(file);
  }
  expect(leaks).toEqual([]);
});
