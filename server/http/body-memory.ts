import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { freeMemory } from '../../query/format/freed-memory.ts';

/**
 * Bodies of at least this many bytes have their memory freed by hand and are parsed in turns. Shorter ones cost next to nothing.
 */
export const LONG = 16_384;

/** The pieces received so far of each body that is being read. */
const received = new WeakMap<FastifyRequest, Buffer[]>();

/**
 * Remembers the pieces in which a long body arrives, so that freeBody can free them. V8 collects its whole heap each
 * time some megabytes of such memory were handed out. Left to that, reading bodies of ten thousand vertices costs more
 * than answering them.
 * @param most bytes that a body may have; longer ones are refused elsewhere.
 */
export function watchBody(request: FastifyRequest, payload: Readable, most: number): void {
  const length = Number(request.headers['content-length']);
  if (!(length >= LONG && length <= most)) return;
  const pieces: Buffer[] = [];
  received.set(request, pieces);
  payload.on('data', (piece: Buffer) => pieces.push(piece));
}

/**
 * Reads and drops the long body of a request that was answered without it, as Node would, and frees the memory of each piece.
 * Left to V8, bodies of refused areas make it collect the heap of the serving thread every two seconds: the slowest hundredth
 * of another account's fetches beside them (`make bench-isolation`) takes 1.6 times as long.
 */
export function dropBody(request: FastifyRequest): void {
  if (request.raw.readableDidRead || !(Number(request.headers['content-length']) >= LONG)) return;
  request.raw.on('data', freeMemory);
}

/** Frees the memory of a parsed body and of its pieces. Nothing may read them afterwards. */
export function freeBody(request: FastifyRequest, body: Buffer): void {
  const pieces = received.get(request);
  if (!pieces) return;
  received.delete(request);
  for (const piece of pieces) freeMemory(piece);
  freeMemory(body);
}
