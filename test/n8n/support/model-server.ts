import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { z } from 'zod';

const requestSchema = z.object({
  messages: z.array(
    z.object({ role: z.string(), content: z.unknown(), tool_call_id: z.string().optional() }),
  ),
  stream: z.boolean().optional(),
  tools: z
    .array(
      z.object({
        function: z.object({
          name: z.string(),
          description: z.string().optional(),
          parameters: z.unknown(),
        }),
      }),
    )
    .optional(),
});

/** What a model is asked, as the OpenAI protocol has it. */
export type ModelRequest = z.infer<typeof requestSchema>;

/** What a scripted model does next: calls a tool, ends with words, or fails. */
export type Turn =
  | { readonly tool: string; readonly input: Record<string, unknown> }
  | { readonly says: string }
  | { readonly fails: string };

/** A language model that follows a script, behind the chat completions of the OpenAI protocol. */
export class ModelServer {
  /** What the model was asked, in order. */
  readonly requests: ModelRequest[] = [];

  private script: Turn[] = [];

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<ModelServer> {
    const server = createServer();
    const model = new ModelServer(server);
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        if (request.method !== 'POST') return response.end('{"data":[]}');
        const asked = requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        model.requests.push(asked);
        const turn = model.script.shift() ?? { says: 'The script is over.' };
        if ('fails' in turn) {
          response.statusCode = 400;
          return response.end(JSON.stringify({ error: { message: turn.fails } }));
        }
        const message = model.messageOf(turn);
        const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
        const base = { id: 'chat-1', created: 0, model: 'scripted' };
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
        if (asked.stream !== true) {
          const choices = [{ index: 0, message, finish_reason: finish }];
          return response.end(
            JSON.stringify({ ...base, object: 'chat.completion', choices, usage }),
          );
        }
        response.setHeader('content-type', 'text/event-stream');
        const chunk = (delta: object, reason: string | null) =>
          `data: ${JSON.stringify({
            ...base,
            object: 'chat.completion.chunk',
            choices: [{ index: 0, delta, finish_reason: reason }],
          })}\n\n`;
        response.end(`${chunk(message, null)}${chunk({}, finish)}data: [DONE]\n\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** What the model will do, turn by turn. */
  follow(...script: Turn[]): void {
    this.script = script;
    this.requests.length = 0;
  }

  /** What the tools answered, in order. */
  get answers(): string[] {
    return (this.requests.at(-1)?.messages ?? [])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private messageOf(turn: Exclude<Turn, { fails: string }>) {
    if ('says' in turn) return { role: 'assistant', content: turn.says };
    const call = { name: turn.tool, arguments: JSON.stringify(turn.input) };
    return {
      role: 'assistant',
      content: null,
      tool_calls: [
        { index: 0, id: `call-${this.requests.length}`, type: 'function', function: call },
      ],
    };
  }
}
