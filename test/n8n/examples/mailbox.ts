import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import type { Page } from 'playwright-core';

import type { N8nApi } from '../../../scripts/n8n/rest';
import { waitFor } from '../../../scripts/n8n/wait-for';

/** An SMTP server on this machine that keeps what it is sent. */
export interface Mailbox {
  port: number;
  /** The messages, each with its headers and decoded from quoted-printable. */
  messages: string[];
  close(): Promise<void>;
}

const decodeQuotedPrintable = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
    );

/** Speaks as much SMTP as it takes to receive messages. */
function serve(socket: Socket, messages: string[]): void {
  let received = '';
  let isMessage = false;
  const reply = (line: string) => socket.write(`${line}\r\n`);
  socket.setEncoding('utf8').on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    received += chunk;
    for (;;) {
      const end = isMessage ? '\r\n.\r\n' : '\r\n';
      const at = received.indexOf(end);
      if (at === -1) return;
      const text = received.slice(0, at);
      received = received.slice(at + end.length);
      if (isMessage) {
        messages.push(decodeQuotedPrintable(text));
        isMessage = false;
        reply('250 OK');
      } else if (/^DATA/i.test(text)) {
        isMessage = true;
        reply('354 Go on');
      } else if (/^QUIT/i.test(text)) {
        socket.end('221 Bye\r\n');
      } else {
        reply('250 OK');
      }
    }
  });
  reply('220 mailbox');
}

/** Starts a mailbox that takes every message. */
export async function openMailbox(): Promise<Mailbox> {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    serve(socket, messages);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    async close() {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Makes the credential by which n8n sends its mail to the mailbox. */
export async function saveMailCredential(api: N8nApi, { port }: Mailbox): Promise<void> {
  await api.saveCredential({
    name: 'SMTP account',
    type: 'smtp',
    data: {
      host: '127.0.0.1',
      port,
      secure: false,
      disableStartTls: true,
      user: '',
      password: '',
    },
  });
}

/** Waits for a message. */
export async function nextMessage({ messages }: Mailbox): Promise<string> {
  return await waitFor('No email came', () => messages.shift());
}

/** Clicks the button that approves or declines, in a message of Send and Wait. */
export async function decide(page: Page, message: string, approved: boolean): Promise<void> {
  const [, link] = new RegExp(`href="([^"]*approved=${approved}[^"]*)"`).exec(message) ?? [];
  if (link === undefined) throw new Error('The message has no such button.');
  // n8n ignores what looks like a bot.
  await page.setExtraHTTPHeaders({
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  });
  // The email may come before n8n has stored that the execution waits, which it tells as a conflict.
  await waitFor('The execution did not wait', async () => {
    const response = await page.goto(link.replaceAll('&amp;', '&'));
    return response?.status() === 409 ? undefined : response;
  });
  await page.getByText('Got it, thanks').waitFor();
}
