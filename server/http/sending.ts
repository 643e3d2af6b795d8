import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { freeMemory } from '../../query/format/freed-memory.ts';
import { Lease } from '../lease/lease.ts';

/** Answers of at least this many bytes are sent in pieces: the next piece when the client has read the last one. */
const STREAMED_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

/** Milliseconds after which a client that reads nothing of its answer is cut off. */
export const STALLED_MS = 30_000;

/**
 * Cuts the connection of a client that has data waiting for it and reads none of it for too long. A connection with
 * nothing waiting is left open. Node checks what the kernel still holds before it calls.
 */
export function cutStalled(reply: FastifyReply, stalledMs: number): void {
  const { raw } = reply;
  raw.setTimeout(stalledMs, () => {
    if (!raw.socket?.writableLength) return;
    reply.log.info('a client that took nothing of its answer was cut off');
    raw.destroy();
  });
}

/** The memory of answers that are sent once, by the bytes that are sent. */
const memories = new WeakMap<Uint8Array, ArrayBufferView>();

/**
 * Marks the bytes of an answer that nobody reads again, so that their memory is freed when the response has ended. Left to V8,
 * such memory makes it collect the whole heap of the serving thread each time 64 MB were handed out: beside isochrones of half a
 * megabyte twice a second, for a tenth of its time.
 * @param memory in which the bytes lie, where they do not take all of it.
 */
export function sentOnce<T extends Uint8Array>(bytes: T, memory: ArrayBufferView = bytes): T {
  memories.set(bytes, memory);
  return bytes;
}

/** Frees the memory of bytes that `sentOnce` marked, when the response that sends them has ended. Others it leaves alone. */
export function freeWithResponse(bytes: Uint8Array, response: ServerResponse): void {
  const memory = memories.get(bytes);
  if (memory) new Lease('memory', () => freeMemory(memory)).until(response);
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/**
 * Sends long answers with backpressure, and cuts off clients that do not read them.
 * @param stalledMs milliseconds after which a client that reads nothing is cut off.
 */
export function sendWithBackpressure(app: FastifyInstance, stalledMs: number): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string';
    if (Buffer.isBuffer(payload)) freeWithResponse(payload, reply.raw);
    const length = isText || Buffer.isBuffer(payload) ? payload.length : Number.POSITIVE_INFINITY;
    if (length < PIECE_BYTES) {
      done(null, payload);
      return;
    }
    cutStalled(reply, stalledMs);
    if ((!isText && !Buffer.isBuffer(payload)) || length <= STREAMED_BYTES || request.method === 'HEAD') {
      done(null, payload);
      return;
    }
    const bytes = isText ? sentOnce(Buffer.from(payload)) : payload;
    if (isText) freeWithResponse(bytes, reply.raw);
    reply.header('content-length', bytes.length);
    done(null, Readable.from(pieces(bytes), { objectMode: false, highWaterMark: PIECE_BYTES }));
  });
}
