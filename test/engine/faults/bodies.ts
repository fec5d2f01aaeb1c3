import type { ServerResponse } from 'node:http';
import { constants, createGzip, gzipSync } from 'node:zlib';

import { listen } from '../../support/server';
import { nodeError, readWorkflow, records, runWorkflow, useSandbox } from '../harness';

const service = useSandbox();

const megabytes = () => process.memoryUsage().rss / 1024 / 1024;

const rows: string[] = [];

afterAll(() => {
  process.stdout.write(`\nBodies that are not what they should be\n${rows.join('\n')}\n`);
});

/** Reads the accounts from a service that sends this body, and how it went. */
async function reading(send: (response: ServerResponse) => void) {
  const server = await listen((_, response) => {
    response.on('error', () => undefined);
    send(response);
  });
  let peak = 0;
  const before = megabytes();
  const watch = setInterval(() => (peak = Math.max(peak, megabytes() - before)), 20);
  const startedAt = Date.now();
  try {
    const run = await runWorkflow(readWorkflow('account.getAll'), {
      credentials: service.credentials({ baseUrl: `${server.origin}/api/v1` }),
    });
    return { run, seconds: (Date.now() - startedAt) / 1000, peak };
  } finally {
    clearInterval(watch);
    await server.close();
  }
}

const json = (response: ServerResponse, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers });

/** Writes as fast as the other side reads, until it hangs up. */
function pour(response: ServerResponse, chunk: Buffer): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

const padding = Buffer.alloc(1024 * 1024, ' ');

test.each<[string, (response: ServerResponse) => void]>([
  [
    'endless body',
    (response) => {
      json(response).write('{"accounts":[');
      pour(response, padding);
    },
  ],
  [
    'compressed bomb',
    (response) => {
      // 256 MB in 260 KB.
      const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION });
      gzip.pipe(json(response, { 'content-encoding': 'gzip' }));
      for (let count = 0; count < 256; count++) gzip.write(padding);
      gzip.end();
    },
  ],
  [
    '200,000 levels',
    (response) => json(response).end(`{"accounts":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
  ],
  [
    'wrong charset',
    (response) =>
      json(response, { 'content-type': 'application/json; charset=utf-8' }).end(
        Buffer.from('{"accounts":[{"id":1,"displayName":"Müller"}]}', 'latin1'),
      ),
  ],
])('%s is an error that says so', async (name, send) => {
  const { run, seconds, peak } = await reading(send);
  const { message, context } = nodeError(run, 'Get accounts');

  rows.push(`${name}: ${seconds.toFixed(2)} s, ${peak.toFixed(0)} MB, "${message}"`);
  expect(context).toMatchObject({ code: 'unexpectedResponse' });
});

test('a compressed body is read', async () => {
  const { run } = await reading((response) =>
    json(response, { 'content-encoding': 'gzip' }).end(gzipSync('{"accounts":[{"id":1}]}')),
  );

  expect(records(run, 'Get accounts')).toEqual([{ id: 1 }]);
});
