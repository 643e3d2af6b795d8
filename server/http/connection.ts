import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.ts';

/** Writes a refusal straight to a socket: the request never became one that a route could answer. */
function refuse(socket: Socket, error: ServiceError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(error.body);
  const { retryAfter } = error;
  const { status } = error.kind;
  const reasons: Record<number, string> = { 400: 'Bad Request', 408: 'Request Timeout' };
  socket.end(
    [
      `HTTP/1.1 ${status} ${reasons[status] ?? 'Request Header Fields Too Large'}`,
      `X-Request-ID: ${randomUUID()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Answers what the HTTP parser refuses: malformed bytes, oversized headers, requests sent too slowly. */
export function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') refuse(socket, new ServiceError('headers_too_large'));
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuse(socket, new ServiceError('request_timeout'));
  else refuse(socket, new ServiceError('malformed_request', { reason: 'it is not HTTP/1.1' }));
}

/** Connection limits that Fastify has no option for. */
export function limitConnections(server: Server, maxConnections: number): void {
  server.maxConnections = maxConnections;
  // Of several processes one that is full refuses too, instead of handing the connection on in a circle.
  Object.assign(server, { dropMaxConnection: true });
  // An Expect header other than 100-continue is ignored like any unknown header.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
