import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

/** A file as a publisher has it now. */
export interface Published {
  body: Buffer;
  /** Null: the publisher gives no validators. */
  etag: string | null;
  changedAt: Date;
  /** Whether it answers ranges. */
  ranges?: boolean;
}

/** A publisher on this machine: what it has stands in `files`, and what goes wrong next in `faults`. */
export class Publisher {
  readonly files = new Map<string, Published>();
  readonly handlers = new Map<string, Handler>();
  /** Path → what happens to the next requests of it, one after the other; then all is well. */
  readonly faults = new Map<string, Handler[]>();
  readonly log: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  readonly #server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://publisher');
    this.log.push({ method: request.method!, path: `${url.pathname}${url.search}`, headers: request.headers });
    const fault = this.faults.get(url.pathname)?.shift();
    if (fault) return fault(request, response, url);
    const handler = this.handlers.get(url.pathname);
    if (handler) return handler(request, response, url);
    // Of an API the query is part of the name.
    const file = this.files.get(`${url.pathname}${url.search}`) ?? this.files.get(url.pathname);
    if (file) return send(file, request, response);
    response.writeHead(404).end('no such file');
  });

  async start(): Promise<this> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  put(path: string, body: Buffer | string, more: Partial<Published> = {}): void {
    const content = Buffer.from(body);
    const changedAt = new Date('2026-03-01T00:00:00Z');
    this.files.set(path, { body: content, etag: `"${content.length}-${content.at(-1)}"`, changedAt, ...more });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(done => this.#server.close(done));
  }
}

/** Sends a file as web servers do: validators, conditions, ranges. */
export function send(
  { body, etag, changedAt, ranges = true }: Published,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { 'if-none-match': noneMatch, 'if-modified-since': since, range, 'if-range': ifRange } = request.headers;
  const validators: Record<string, string> = etag === null ? {} : { etag, 'last-modified': changedAt.toUTCString() };
  if (etag !== null && (noneMatch === etag || (since && Date.parse(since) >= changedAt.getTime())))
    return void response.writeHead(304, validators).end();
  const first = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  const isPart =
    ranges && first > 0 && (ifRange === undefined || ifRange === etag || ifRange === changedAt.toUTCString());
  if (isPart && first >= body.length)
    return void response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
  const content = isPart ? body.subarray(first) : body;
  response.writeHead(isPart ? 206 : 200, {
    ...validators,
    'content-length': content.length,
    ...(isPart ? { 'content-range': `bytes ${first}-${body.length - 1}/${body.length}` } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : content);
}

/** Half of a file, then the connection breaks. */
export const half =
  (publisher: Publisher, path: string): Handler =>
  (_request, response) => {
    const { body, etag, changedAt } = publisher.files.get(path)!;
    response.writeHead(200, {
      ...(etag === null ? {} : { etag, 'last-modified': changedAt.toUTCString() }),
      'content-length': body.length,
    });
    // An orderly end: what was sent arrives.
    response.write(body.subarray(0, body.length >> 1), () => response.socket?.end());
  };
