import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

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
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

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
