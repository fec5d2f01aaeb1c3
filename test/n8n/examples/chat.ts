import { json } from 'node:stream/consumers';

import { z } from 'zod';

import { listen } from '../../support/server';

/** What a chat takes on an incoming webhook. */
const messageSchema = z.object({ text: z.string() }).strict();

/** A chat's incoming webhook on this machine. */
export interface Chat {
  url: string;
  /** The texts it was sent, in the order of their arrival. */
  messages: string[];
  close(): Promise<void>;
}

/** Starts a chat that answers 400 to whatever isn't a message. */
export async function openChat(): Promise<Chat> {
  const messages: string[] = [];
  const server = await listen((request, response) => {
    json(request)
      .then((body) => messages.push(messageSchema.parse(body).text))
      .then(
        () => response.writeHead(200).end('ok'),
        () => response.writeHead(400).end(),
      );
  });
  return { url: `${server.origin}/hooks/tests`, messages, close: () => server.close() };
}
