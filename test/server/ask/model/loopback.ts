import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model does with one request. */
export type Turn =
  /** Calls the planning tool with this. */
  | { readonly plan: unknown }
  /** Writes pieces, each with the positions of the records that it cites; then ends, as said. */
  | {
      readonly write: readonly (readonly [text: string, cited: readonly number[]])[];
      readonly end?: 'well' | 'max_tokens' | 'refusal' | 'dropped' | 'closed' | 'malformed' | 'error';
    }
  /** Answers with an HTTP error. */
  | { readonly status: number; readonly retryAfter?: string }
  /** Closes the connection without an answer, answers what is no JSON, or never answers. */
  | 'dropped'
  | 'nonsense'
  | 'silent';

/** A request as the model got it. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: bodies of two protocols, looked into by tests.
  readonly body: any;
  /** Resolves when the connection has closed before the answer was through. */
  readonly gone: Promise<void>;
}

/** How one protocol writes its answers. */
export interface Dialect {
  readonly name: 'anthropic' | 'openai';
  readonly plan: (input: unknown) => object;
  /** Events of a stream up to its end. */
  readonly events: (turn: Extract<Turn, { write: unknown }>) => string[];
  readonly error: (status: number) => object;
}

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** The Messages protocol. */
export const MESSAGES: Dialect = {
  name: 'anthropic',
  plan: input => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'test-model',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'plan_answer', input }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 11, cache_creation_input_tokens: 13 },
  }),
  events({ write, end = 'well' }) {
    const usage = { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const blocks = write.flatMap(([text, cited], index) => [
      event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
      ...cited.map(document_index =>
        event('content_block_delta', {
          index,
          delta: {
            type: 'citations_delta',
            citation: {
              type: 'char_location',
              cited_text: 'x',
              document_index,
              start_char_index: 0,
              end_char_index: 1,
            },
          },
        }),
      ),
      ...(text.match(/.{1,9}/gs) ?? []).map(piece =>
        event('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }),
      ),
      event('content_block_stop', { index }),
    ]);
    const opened = [
      event('message_start', { message: { id: 'msg_2', content: [], usage } }),
      event('ping', {}),
      ...blocks,
    ];
    if (end === 'malformed') return [...opened, 'event: content_block_delta\ndata: {"type": "content_bl\n\n'];
    if (end === 'error')
      return [...opened, event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })];
    if (end === 'dropped' || end === 'closed') return opened;
    const stop_reason = end === 'well' ? 'end_turn' : end;
    return [
      ...opened,
      event('message_delta', { delta: { stop_reason }, usage: { output_tokens: 42 } }),
      event('message_stop', {}),
    ];
  },
  error: status => ({
    type: 'error',
    error: { type: status === 529 ? 'overloaded_error' : 'api_error', message: 'no' },
  }),
};

const chunk = (data: object) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...data })}\n\n`;

/** Chat completions. */
export const COMPLETIONS: Dialect = {
  name: 'openai',
  plan: input => ({
    id: 'c',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'plan_answer', arguments: JSON.stringify(input) } },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 16, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 11 } },
  }),
  events({ write, end = 'well' }) {
    const delta = (content: string) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
    const said = write
      .map(([text, cited]) => {
        const marker = cited.length === 0 ? '' : ` [${cited.map(i => i + 1).join(', ')}]`;
        // The marker stands before the full stop.
        return text.replace(/([.!?]?\s*)$/, `${marker}$1`);
      })
      .join('');
    const opened = (said.match(/.{1,7}/gs) ?? ['']).map(delta);
    if (end === 'malformed') return [...opened, 'data: {"choices": [{"del\n\n'];
    if (end === 'error') return [...opened, 'data: {"error": {"message": "Overloaded", "type": "server_error"}}\n\n'];
    if (end === 'dropped' || end === 'closed') return opened;
    const finish_reason = { well: 'stop', max_tokens: 'length', refusal: 'content_filter' }[end];
    return [
      ...opened,
      chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }),
      chunk({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 42 } }),
      'data: [DONE]\n\n',
    ];
  },
  error: () => ({ error: { message: 'no', type: 'server_error', code: null } }),
};

/** A server on this machine that speaks the protocol of a language model and does what a test tells it to. */
export interface Loopback extends AsyncDisposable {
  readonly url: string;
  readonly asked: Asked[];
  /** What it does next; the last is repeated. */
  turns: Turn[];
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}

async function act(turn: Turn, dialect: Dialect, response: ServerResponse): Promise<void> {
  if (turn === 'silent') return;
  if (turn === 'dropped') {
    response.destroy();
    return;
  }
  const json = (status: number, body: object | string, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  if (turn === 'nonsense') json(200, '{"id": "msg');
  else if ('plan' in turn) json(200, dialect.plan(turn.plan));
  else if ('status' in turn)
    json(turn.status, dialect.error(turn.status), turn.retryAfter ? { 'retry-after': turn.retryAfter } : {});
  else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const text of dialect.events(turn)) response.write(text);
    // What was written is on its way before the connection breaks.
    if (turn.end === 'dropped') await new Promise<void>(resolve => response.write(': \n\n', () => resolve()));
    if (turn.end === 'dropped') setTimeout(() => response.destroy(), 20);
    else response.end();
  }
}

/** Listens on a free port of this machine. */
export async function openLoopback(dialect: Dialect): Promise<Loopback> {
  const asked: Asked[] = [];
  const loopback: Pick<Loopback, 'turns'> = { turns: [] };
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const gone = once(response, 'close').then(() => {});
    asked.push({ path: request.url!, headers: request.headers, body, gone });
    const turn = loopback.turns.length > 1 ? loopback.turns.shift()! : loopback.turns[0]!;
    await act(turn, dialect, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(loopback, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${dialect.name === 'openai' ? '/v1' : ''}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
