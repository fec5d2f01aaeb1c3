import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';

import { listenUntrusted, type UntrustedServer } from '../../support/certificate';
import { listen } from '../../support/server';
import {
  nodeError,
  readWorkflow,
  runWorkflow,
  skipWaitsBetweenTries,
  testCredential,
  useSandbox,
} from '../harness';

const service = useSandbox();

const NODE_TYPE = 'n8n-nodes-social-publishing.socialPublishing';

/** What the user reads when a read or a write failed. */
async function failureOf(name: 'post.getAll' | 'agent.create', baseUrl: string) {
  const workflow = readWorkflow(name);
  const run = await runWorkflow(workflow, {
    credentials: service.credentials({ baseUrl }),
    input: [{ name: 'A', schedule: '0 6 * * *', active: true }],
  });
  const { message, description } = nodeError(run, String(workflow.nodes.at(-1)?.name));
  return `${message}\n${description}`;
}

const failuresAt = (baseUrl: string) =>
  Promise.all([failureOf('post.getAll', baseUrl), failureOf('agent.create', baseUrl)]);

describe('a service with a certificate that n8n does not trust', () => {
  let server: UntrustedServer;

  beforeEach(async () => {
    server = await listenUntrusted();
  });

  afterEach(() => server.close());

  test('is asked once, and the error says where to name the certificate', async () => {
    for (const failure of await failuresAt(server.baseUrl)) {
      expect(failure).toMatch(/^.* 127\.0\.0\.1:\d+ /);
      expect(failure).toContain('NODE_EXTRA_CA_CERTS');
      expect(failure).toContain('(DEPTH_ZERO_SELF_SIGNED_CERT)');
    }
    expect(server.connections()).toBe(2);
  });

  test('is told so by the test of the credential, too', async () => {
    const data = { baseUrl: server.baseUrl, apiKey: service.sandbox.keys.pro, workspaceId: '1' };

    expect(await testCredential(NODE_TYPE, 'socialPublishingApi', data)).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
    });
  });
});

describe('a proxy', () => {
  const VARIABLES = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
  ];
  let before: Array<[string, string | undefined]>;

  beforeEach(() => {
    skipWaitsBetweenTries();
    before = VARIABLES.map((name) => [name, process.env[name]]);
    for (const name of VARIABLES) delete process.env[name];
  });

  afterEach(() => {
    jest.restoreAllMocks();
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  const through = (proxy: string): void => {
    process.env['HTTP_PROXY'] = proxy;
    process.env['HTTPS_PROXY'] = proxy;
  };

  const ADDRESSES = ['http://service.example/api/v1', 'https://service.example/api/v1'];

  test.each(ADDRESSES)('that is dead is named, and not %s', async (baseUrl) => {
    const gone = await listen(() => undefined);
    await gone.close();
    through(gone.origin);

    for (const failure of await failuresAt(baseUrl)) {
      expect(failure).toMatch(new RegExp(`^.* ${gone.origin.replace('http://', '')}`));
      expect(failure).toContain('NO_PROXY');
      expect(failure).not.toContain('Base URL');
    }
  });

  test.each(ADDRESSES)('whose name is not known is named, and not %s', async (baseUrl) => {
    through('http://no-such-proxy.invalid:3128');

    for (const failure of await failuresAt(baseUrl)) {
      expect(failure).toMatch(/^.* no-such-proxy\.invalid/);
    }
  });

  test.each(ADDRESSES)('that asks for a password is told as the proxy of %s', async (baseUrl) => {
    let asked = 0;
    const proxy = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        asked++;
        socket.end(
          'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        );
      });
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    through(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);

    try {
      for (const failure of await failuresAt(baseUrl)) {
        expect(failure).toMatch(/^.*proxy.* \(407\) \[item 0\]/);
        expect(failure).toContain('user:password@');
      }
      expect(asked).toBe(2);
    } finally {
      await once(proxy.close(), 'close');
    }
  });
});
