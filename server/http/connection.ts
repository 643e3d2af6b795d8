import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import { InFlight } from '../lease/in-flight.ts';
import { Lease } from '../lease/lease.ts';
import { clientOf } from './client.ts';
import { requestId } from './request-id.ts';

/** What is wrong with a request that the parser rejected, and what to send instead, by the parser's error code. */
const FAULTS: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD:
    'it does not begin with a method that HTTP knows: send one such as GET or POST, in capitals and without TLS',
  HPE_INVALID_URL: 'the target is not a URL: begin it with / and percent-encode all that is not ASCII',
  HPE_INVALID_CONSTANT:
    'the first line is not method, target and HTTP/1.1: send these three and percent-encode spaces in the target',
  HPE_INVALID_VERSION: 'the first line does not end in HTTP/1.1 and CRLF: send it so',
  HPE_PAUSED_H2_UPGRADE: 'it is HTTP/2: send HTTP/1.1',
  HPE_INVALID_HEADER_TOKEN:
    'a header is not one line of name, colon and value: send it without a space before the colon and without control characters',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'it has more than one Content-Length: send one',
  HPE_INVALID_CONTENT_LENGTH:
    'Content-Length is not a number of bytes, or stands beside Transfer-Encoding: send one of the two, digits alone',
  HPE_INVALID_TRANSFER_ENCODING:
    'Transfer-Encoding is not just `chunked`, or stands beside Content-Length: send one of the two',
  HPE_INVALID_CHUNK_SIZE: 'a chunk of the body does not begin with its size: send it in hexadecimal digits',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the extensions of a chunk are too long: send none',
  HPE_CR_EXPECTED: 'a line does not end in CRLF: end every line with it',
  HPE_LF_EXPECTED: 'a line does not end in CRLF: end every line with it',
  HPE_STRICT: 'CRLF is missing where a line or a chunk has to end: check line ends and chunk sizes',
  HPE_INVALID_EOF_STATE: 'the connection was closed before all of it was sent: send the whole request first',
};

/** Milliseconds that a client may keep a connection open after the server has ended it. */
const LINGER_MS = 2_000;

/** The last request of a connection, until its body has arrived completely and it was answered. */
const LATEST = Symbol('latest');
type Connection = Socket & { [LATEST]?: FastifyReply | undefined };

/** Connections whose refusal waits until the request before it was answered. */
const waiting = new WeakSet<Socket>();

/** Ties a request to its connection: the parser reports later faults of its body with the connection alone. */
export function beginRequest(reply: FastifyReply): void {
  (reply.request.raw.socket as Connection)[LATEST] = reply;
}

/** Logs a request that was answered, and forgets it unless part of its body is still to come. */
export function endRequest(reply: FastifyReply): void {
  const { raw } = reply.request;
  const socket: Connection = raw.socket;
  if (raw.complete && socket[LATEST] === reply) socket[LATEST] = undefined;
  logRequest(reply, reply.statusCode);
}

function logRequest({ request, elapsedTime }: FastifyReply, status: number): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status,
      ms: Math.round(elapsedTime * 10) / 10,
      account: request.account?.id ?? null,
      client: request.ip,
    },
    'request',
  );
}

/**
 * Says what is wrong with the Host headers: none where HTTP/1.1 needs one, or several. Undefined when they are right.
 */
export function hostFault({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  // Node keeps only the first in `headers`.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) return 'it has more than one Host header: send one';
  return hosts === 0 && httpVersion === '1.1' ? 'HTTP/1.1 needs a Host header: send one' : undefined;
}

/**
 * Writes a refusal straight to a socket, because no route ever saw the request.
 * @returns whether it was written; false when the client has gone.
 */
function refuse(socket: Socket, error: ServiceError, id: string): boolean {
  if (!socket.writable) {
    socket.destroySoon();
    return false;
  }
  const body = JSON.stringify(error.body);
  const { retryAfter } = error;
  const { status } = error.kind;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `X-Request-ID: ${id}`,
      'Content-Type: application/json; charset=utf-8',
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  new Lease('timer', () => clearTimeout(linger)).until(socket);
  return true;
}

/** Refuses and logs a request that never reached Fastify. */
function refuseStranger(app: FastifyInstance, socket: Socket, error: ServiceError, request?: IncomingMessage): void {
  const id = request ? requestId(request.headers['x-request-id']) : randomUUID();
  if (!refuse(socket, error, id)) return;
  const { status } = error.kind;
  app.log.info(
    {
      request_id: id,
      method: request?.method ?? null,
      route: null,
      status,
      ms: 0,
      account: null,
      client: socket.remoteAddress,
    },
    'request',
  );
}

function refusalOf({ code = '' }: NodeJS.ErrnoException): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ServiceError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ServiceError('request_timeout');
  return new ServiceError('malformed_request', { reason: FAULTS[code] ?? 'it cannot be read as HTTP/1.1' });
}

/** Answers what the HTTP parser refuses: malformed bytes, oversized headers, requests sent too slowly. */
export function clientErrorHandler(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  // Bytes after a request with `Connection: close`: nothing will read them, and its answer is still to be sent.
  if (error.code === 'HPE_CLOSED_CONNECTION') return;
  const refusal = refusalOf(error);
  const reply = (socket as Connection)[LATEST];
  if (reply && !reply.request.raw.complete) {
    // The request was refused before its body arrived. A second answer would be taken for that of the next request.
    if (reply.raw.headersSent) socket.destroySoon();
    else if (refuse(socket, refusal, reply.request.id)) logRequest(reply, refusal.kind.status);
    return;
  }
  if (!reply || reply.raw.writableFinished) refuseStranger(this, socket, refusal);
  else if (!waiting.has(socket)) {
    waiting.add(socket);
    new Lease('line', () => refuseStranger(this, socket, refusal)).until(reply.raw);
  }
}

/** @returns a test whether an address is in a list of addresses and networks. */
function trusted(list: readonly string[]): (address: string) => boolean {
  const blocks = new BlockList();
  const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) blocks.addAddress(address, family(address));
    else blocks.addSubnet(address, Number(bits), family(address));
  }
  return address => list.length > 0 && blocks.check(address, family(address));
}

/** From this share of PLAT_MAX_CONNECTIONS on, idle connections are closed to make room. */
const CROWDED = 0.9;
/** Milliseconds between two looks at the number of connections, at least. */
const LOOK_MS = 1_000;

/** How many connections the server accepts. */
interface ConnectionLimits {
  readonly maxConnections: number;
  /** Connections of one address at once; 0 is no limit. */
  readonly addressConnections: number;
  /** Addresses and networks that may open any number of connections. */
  readonly trustedProxies: readonly string[];
}

/** Sets the connection limits that Fastify has no option for. */
export function limitConnections(app: FastifyInstance, limits: ConnectionLimits): void {
  const { server } = app;
  server.maxConnections = limits.maxConnections;
  const proxies = trusted(limits.trustedProxies);
  const addresses = new InFlight('connection', limits.addressConnections);
  const open = new Set<Socket>();
  let looked = 0;
  // Node counts a connection on which nothing was ever sent as busy, and would wait for it to end.
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  server.on('connection', (socket: Socket) => {
    // A client that had gone before it was accepted has none, and nobody would be counted for what it asks.
    const address = socket.remoteAddress;
    if (address === undefined) {
      socket.destroy();
      return;
    }
    open.add(socket);
    new Lease('connection', () => open.delete(socket)).until(socket);
    if (open.size >= limits.maxConnections * CROWDED && performance.now() - looked >= LOOK_MS) {
      looked = performance.now();
      server.closeIdleConnections();
    }
    if (proxies(address)) return;
    const slot = addresses.enter(clientOf(address));
    if (slot) slot.until(socket);
    else {
      const what = `More than ${addresses.most} connections from this address`;
      refuse(socket, new ServiceError('rate_limited', { what }, {}, 1), randomUUID());
    }
  });
  // With several processes, a full one refuses the connection. Otherwise they would pass it around in a circle.
  Object.assign(server, { dropMaxConnection: true });
  // An Expect header other than 100-continue is ignored like any unknown header.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Without a listener Node closes the connection. With one, this code must watch for errors and read what follows.
  server.on('connect', (request, socket: Socket) => {
    socket.on('error', () => socket.destroy()).resume();
    refuseStranger(app, socket, new ServiceError('not_found'), request);
  });
}
