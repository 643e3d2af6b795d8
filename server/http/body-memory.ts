import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/** Bytes of a body from which on its memory is given back: collecting what is left of shorter ones costs next to nothing. */
const LONG = 16_384;

/** What came of bodies that are being read. */
const received = new WeakMap<FastifyRequest, Buffer[]>();

/**
 * Remembers the pieces in which a long body arrives, for freeBody. V8 looks for garbage in its whole heap each time some
 * megabytes of such memory were handed out: left to that, bodies of ten thousand vertices cost more than to answer them.
 * @param most bytes of a body that is not refused.
 */
export function watchBody(request: FastifyRequest, payload: Readable, most: number): void {
  const length = Number(request.headers['content-length']);
  if (!(length >= LONG && length <= most)) return;
  const pieces: Buffer[] = [];
  received.set(request, pieces);
  payload.on('data', (piece: Buffer) => pieces.push(piece));
}

/** Gives back the memory of a body that was parsed, and of its pieces: none of them can be read any more. */
export function freeBody(request: FastifyRequest, body: Buffer): void {
  const pieces = received.get(request);
  if (!pieces) return;
  received.delete(request);
  // Not where others lie in the same memory.
  for (const { buffer, length } of [...pieces, body])
    if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
